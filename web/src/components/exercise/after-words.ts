import { byLanguage } from '../../strings/language.ts';

const en = {
  title: 'Now that it passes',
  beside: 'Your code beside ours',
  yours: 'Yours',
  ours: 'Ours',
  differ: (lines: number) =>
    lines === 0
      ? 'Line by line they are the same.'
      : `${lines} ${lines === 1 ? 'line is' : 'lines are'} marked ≠: only one of the two has ${lines === 1 ? 'it' : 'them'}. Another way is no worse way.`,
  differs: 'differs:',
  cost: {
    title: 'What it cost',
    measure: 'Run measures it.',
    measuring: 'Counting what ours costs …',
    none: 'It could not be measured to the end.',
    multiplyAdds: 'multiply-adds',
    touched: 'entries read or written',
    largest: 'entries of the largest array',
    time: 'time',
    milliseconds: (ms: string) => `${ms} ms`,
    less: (ms: string) => `under ${ms} ms`,
    atLength: (n: string) => `Operations: counted at n = ${n}, on the same numbers.`,
    overTests: (tests: number) => `Operations: counted over all ${tests} tests.`,
    timed: (tests: number, runs: number) =>
      runs === 1
        ? `Time: all ${tests} tests, run once.`
        : `Time: all ${tests} tests, on average over ${runs} runs after a first one.`,
  },
  unlocks: {
    title: 'What it unlocks',
    sheet: (name: string) =>
      `The scratch sheet now takes \`${name}\` from you: the layers of day 42 compute with it.`,
    byName: (name: string) =>
      `On the scratch sheet, \`from exercise import ${name}\` now gives you yours.`,
    toSheet: 'Open the sheet',
    inLab: (lab: string) =>
      `It stands in the lab “${lab}”. The step there now says that you passed, and leads to the picture that your function paints.`,
    toStep: 'Go to that step',
    next: 'It is taken for granted in',
  },
};

const de: typeof en = {
  title: 'Jetzt, da es besteht',
  beside: 'Dein Code neben unserem',
  yours: 'Deiner',
  ours: 'Unserer',
  differ: (lines) =>
    lines === 0
      ? 'Zeile für Zeile sind beide gleich.'
      : `${lines} ${lines === 1 ? 'Zeile ist' : 'Zeilen sind'} mit ≠ markiert: nur einer von beiden hat sie. Ein anderer Weg ist kein schlechterer.`,
  differs: 'anders:',
  cost: {
    title: 'Was es gekostet hat',
    measure: 'Ausführen misst es.',
    measuring: 'Wir zählen, was unserer kostet …',
    none: 'Es konnte nicht bis zum Ende gemessen werden.',
    multiplyAdds: 'Multiplikationen mit Addition',
    touched: 'gelesene oder geschriebene Einträge',
    largest: 'Einträge des größten Arrays',
    time: 'Zeit',
    milliseconds: (ms) => `${ms} ms`,
    less: (ms) => `unter ${ms} ms`,
    atLength: (n) => `Operationen: gezählt bei n = ${n}, mit denselben Zahlen.`,
    overTests: (tests) => `Operationen: gezählt über alle ${tests} Tests.`,
    timed: (tests, runs) =>
      runs === 1
        ? `Zeit: alle ${tests} Tests, einmal ausgeführt.`
        : `Zeit: alle ${tests} Tests, im Mittel über ${runs} Läufe nach einem ersten.`,
  },
  unlocks: {
    title: 'Was es freischaltet',
    sheet: (name) =>
      `Das Schmierblatt nimmt \`${name}\` jetzt von dir: Die Schichten von Tag 42 rechnen damit.`,
    byName: (name) => `Auf dem Schmierblatt gibt dir \`from exercise import ${name}\` jetzt deine.`,
    toSheet: 'Schmierblatt öffnen',
    inLab: (lab) =>
      `Es steht im Lab „${lab}“. Der Schritt dort sagt jetzt, dass du bestanden hast, und führt zu dem Bild, das deine Funktion malt.`,
    toStep: 'Zu diesem Schritt',
    next: 'Vorausgesetzt wird es in',
  },
};

export const afterWords = byLanguage({ en, de });
