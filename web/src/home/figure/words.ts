/** The words of the home page's figure that change with it. */
import { byLanguage } from '../../strings/language.ts';

const en = {
  type: 'Type a sentence',
  heading: 'Attention in your sentence',
  length: 'words in the text',
  play: 'Show it again',
  still: 'Stop',
  stage: (words: string, weights: string, numbers: string) =>
    `At ${words} words: ${weights} weights for softmax attention, ${numbers} numbers for linear attention, drawn to one scale.`,
  softmax: 'Softmax attention',
  linear: 'Linear attention',
  weights: (all: string) => `n × n = ${all} weights`,
  numbers: (count: string) => `S: ${count} numbers`,
  stays: 'This is all it keeps, however long the text.',
  wide: (length: string) => `${length} wide at this scale: off the page`,
  pairs: 'one for every pair of words',
  mine: 'your sentence',
  overview: 'all of it, and the corner you see',
  table: 'What both cost',
  between: 'Numbers made on the way',
  bytes: (numbers: string, bytes: string) => `${numbers} (${bytes})`,
  adds: 'Multiply-adds',
  double: 'Twice as long a text costs',
  times: (ratio: string) => `${ratio} times as much`,
  time: 'Time on this machine',
  timeIt: 'Time both here',
  timing: 'Timing …',
  measured: 'measured just now',
  estimated: (from: string) => `estimated from ${from} words`,
  timeFailed: 'It could not be timed.',
  restart: 'Start the core again',
  caption: (d: number) =>
    `One head with columns of width ${d}; the feature map of linear attention is ELU + 1. Counted, with the normaliser, by the core in your browser. The softmax that is timed makes its weights piece by piece: it takes the time of all of them and not their memory. Untrained: each word gets a random embedding, equal words attract, and nothing here knows English.`,
  units: { second: 's', minute: 'min', hour: 'h', day: 'days', year: 'years' },
};

const de: typeof en = {
  type: 'Tipp einen Satz ein',
  heading: 'Attention in deinem Satz',
  length: 'Wörter im Text',
  play: 'Noch einmal zeigen',
  still: 'Anhalten',
  stage: (words, weights, numbers) =>
    `Bei ${words} Wörtern: ${weights} Gewichte für Softmax-Attention, ${numbers} Zahlen für lineare Attention, im selben Maßstab gezeichnet.`,
  softmax: 'Softmax-Attention',
  linear: 'Lineare Attention',
  weights: (all) => `n × n = ${all} Gewichte`,
  numbers: (count) => `S: ${count} Zahlen`,
  stays: 'Mehr behält sie nicht, wie lang der Text auch ist.',
  wide: (length) => `in diesem Maßstab ${length} breit: über die Seite hinaus`,
  pairs: 'eines für jedes Paar von Wörtern',
  mine: 'dein Satz',
  overview: 'alles, und die Ecke, die du siehst',
  table: 'Was beide kosten',
  between: 'Zahlen auf dem Weg',
  bytes: (numbers, bytes) => `${numbers} (${bytes})`,
  adds: 'Multiply-Adds',
  double: 'Ein doppelt so langer Text kostet',
  times: (ratio) => `das ${ratio}-Fache`,
  time: 'Zeit auf diesem Rechner',
  timeIt: 'Beide hier messen',
  timing: 'Misst …',
  measured: 'eben gemessen',
  estimated: (from) => `geschätzt aus ${from} Wörtern`,
  timeFailed: 'Es ließ sich nicht messen.',
  restart: 'Den Rechenkern neu starten',
  caption: (d) =>
    `Ein Kopf mit Spalten der Breite ${d}; die Feature Map der linearen Attention ist ELU + 1. Gezählt, mit Normierung, vom Rechenkern in deinem Browser. Die Softmax, die gemessen wird, macht ihre Gewichte Stück für Stück: Sie braucht die Zeit für alle und nicht ihren Speicher. Untrainiert: Jedes Wort bekommt ein zufälliges Embedding, gleiche Wörter ziehen sich an, und nichts hier kann Deutsch.`,
  units: { second: 's', minute: 'min', hour: 'h', day: 'Tage', year: 'Jahre' },
};

export const figureWords = byLanguage({ en, de });
