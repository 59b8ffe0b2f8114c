/**
 * Words the findings of the judge in German. The sentences are made from the findings as data, not translated from
 * the English sentences.
 */
import { inGroups } from '../plot/counts.ts';
import { numberText } from './judge/compare.ts';
import { powerOf } from './judge/cost.ts';
import { isList, sizes } from './judge/value-shape.ts';
import type { ArgumentOrder, CostReport, Language, Mismatch, Value } from './types.ts';
import { isArray, isDict } from './value-kinds.ts';
import type { JudgeWords } from './words.ts';

function describe(value: Value | undefined): string {
  if (value === undefined || value === null) return 'nichts';
  if (isArray(value)) {
    if (value.shape.length === 0) return 'eine Zahl';
    return value.shape.length === 1
      ? `ein Array aus ${value.shape[0]} Zahlen`
      : `ein Array der Form ${sizes(value.shape)}`;
  }
  if (isDict(value)) return `ein Dict mit ${Object.keys(value.entries).join(', ') || 'nichts'}`;
  if (isList(value)) {
    return value.length === 1
      ? 'eine Liste mit einem Eintrag'
      : `eine Liste mit ${value.length} Einträgen`;
  }
  if (Number.isNaN(value)) return 'NaN';
  if (typeof value === 'object') return `die Funktion ${value.name}`;
  return { number: 'eine Zahl', boolean: 'wahr oder falsch', string: 'Text' }[
    typeof value as 'number' | 'boolean' | 'string'
  ];
}

const countOf = (value: Value | undefined): number | undefined =>
  isList(value) ? value.length : isArray(value) ? value.data.length : undefined;

/** The entry of an array at an index; for a plain number, the number itself. */
function entryAt(value: Value | undefined, index: readonly number[] = []): number | undefined {
  if (typeof value === 'number') return value;
  if (!isArray(value)) return undefined;
  return value.data[index.reduce((flat, at, axis) => flat * (value.shape[axis] ?? 1) + at, 0)];
}

function mismatch(found: Mismatch, language: Language): string {
  const { part, reason, actual, expected, index, wrong = 1, of = 1 } = found;
  const returned = (what: string): string =>
    part === '' ? `Deine Funktion hat ${what} zurückgegeben` : `Teil ${part} ist ${what}`;
  const wanted = `verlangt ist ${describe(expected)}`;
  if (reason === 'missing') {
    if (isDict(actual) && isDict(expected)) {
      const key = Object.keys(expected.entries).find((name) => !(name in actual.entries));
      return returned(`ein Dict ohne den Schlüssel ${key}`);
    }
    const several = part === '' && isList(expected);
    const wish = several ? `verlangt sind ${expected.length} Ergebnisse` : wanted;
    return `${returned('nichts')}; ${wish}${part === '' ? '; fehlt ein return?' : ''}`;
  }
  if (reason === 'type') {
    const signs =
      Number.isNaN(actual) && language === 'javascript'
        ? ': Zeichen wie * und + machen aus Matrizen NaN, nimm times, mul und plus'
        : '';
    if (part === '' && isList(expected)) {
      return `${returned(describe(actual))}; verlangt sind ${expected.length} Ergebnisse, in ihrer Reihenfolge`;
    }
    return `${returned(describe(actual))}; ${wanted}${signs}`;
  }
  if (reason === 'shape') {
    if (isList(expected)) {
      const count = countOf(actual);
      const results = count === 1 ? 'ein Ergebnis' : `${count} Ergebnisse`;
      return `${returned(results)}; verlangt sind ${expected.length}`;
    }
    const turned =
      isArray(actual) &&
      isArray(expected) &&
      expected.shape.length === 2 &&
      sizes([...actual.shape].reverse()) === sizes(expected.shape);
    return `${returned(describe(actual))}; ${wanted}${turned ? ': Es sieht transponiert aus' : ''}`;
  }
  const [is, wish] = [entryAt(actual, index), entryAt(expected, index)];
  if (is === undefined || wish === undefined) {
    return `${returned(JSON.stringify(actual))}, nicht ${JSON.stringify(expected)}`;
  }
  const place = part + (index && index.length > 0 ? `[${index.join(', ')}]` : '');
  const rest = of === 1 ? '' : `; ${wrong} von ${of} Einträgen weichen ab`;
  return place === ''
    ? `Deine Funktion hat ${numberText(is)} zurückgegeben, nicht ${numberText(wish)}${rest}`
    : `Eintrag ${place} ist ${numberText(is)}, nicht ${numberText(wish)}${rest}`;
}

const reasons = {
  time: 'kam die Antwort nicht rechtzeitig',
  memory: 'war der Speicher eines Laufs verbraucht',
  user: 'wurde der Lauf angehalten',
  crash: 'beendete der Browser den Lauf',
  output: 'wurde zu viel ausgegeben',
};

function cost(
  { passed, points, slope, maxSlope, unfinished, wrong, tooMuch, tooLittle }: CostReport,
  wanted: string,
  of: 'work' | 'largest',
  language: Language,
): string {
  const fitted = `angepasste Steigung ${slope.toFixed(2)}`;
  const until = Number.isFinite(slope) ? ` Bis dahin: ${fitted}.` : '';
  if (unfinished) {
    const { n, error, stopped } = unfinished;
    return error === undefined
      ? `Bei n = ${n} ${reasons[stopped ?? 'crash']}, deshalb ließ sich die Arbeit nicht zu Ende zählen.${until}`
      : `Bei n = ${n} ist deine Funktion gescheitert: ${error}${/[.!?]$/.test(error) ? '' : '.'}${until}`;
  }
  const told = (count: number): string => inGroups(Math.round(count), '\u00a0');
  if (wrong) {
    return `Bei n = ${wrong.n}, wo die Arbeit gezählt wird: ${mismatch(wrong.mismatch, language)}.${until}`;
  }
  if (tooLittle) {
    return `Bei n = ${tooLittle.n} wurden nur ${tooLittle.work} Schritte gezählt, aber die Eingaben haben ${tooLittle.least} Zahlen: Deine Funktion muss mit den Arrays rechnen, die sie bekommt.${until}`;
  }
  if (tooMuch) {
    const what =
      of === 'work'
        ? `Deine Funktion hat bei n = ${tooMuch.n} ${told(tooMuch.work)} Schritte gebraucht`
        : `Dein größtes Array oder deine größte Liste hat bei n = ${tooMuch.n} ${told(tooMuch.work)} Einträge`;
    return `${what}; nötig sind ${wanted}, und wie man das auch schreibt, sind es nie mehr als ${told(tooMuch.most)}.`;
  }
  if (points.some(({ work }) => work === 0)) {
    return 'Es wurde keine Arbeit gezählt: Deine Funktion muss mit den Arrays rechnen, die sie bekommt.';
  }
  const power = powerOf(slope);
  if (passed) {
    const what =
      of === 'work' ? 'Die Arbeit deiner Funktion' : 'Dein größtes Array oder deine größte Liste';
    return `${what} wächst wie ${power} (${fitted}; erlaubt ist höchstens ${maxSlope}).`;
  }
  const last = points.at(-1);
  const most = told(last?.work ?? 0);
  return of === 'work'
    ? `Deine Funktion hat ungefähr ${power} Zahlen berührt (${most} Multiply-Adds, Lese- und Schreibzugriffe bei n = ${last?.n}; ${fitted}); nötig sind ${wanted}.`
    : `Dein größtes Array oder deine größte Liste hat ungefähr ${power} Einträge (${most} bei n = ${last?.n}; ${fitted}); nötig sind ${wanted}.`;
}

const drawn = (nth: number): string => `gezogene Eingaben ${nth}`;

const order = ({ wanted, written }: ArgumentOrder): string =>
  `Deine Funktion nimmt ${written.join(', ')}, und aufgerufen wird sie mit ${wanted.join(', ')}, in dieser Reihenfolge: Ein Argument erkennt man an seiner Stelle, nicht an seinem Namen.`;

export const judge: JudgeWords = { mismatch, cost, drawn, order };
