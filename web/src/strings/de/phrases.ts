/** Was Rechenkern, Links und Dateien auf Englisch sagen, Stück für Stück auf Deutsch. */
import type { Phrases } from '../problem.ts';
import {
  phrases as loadPhrases,
  rules as loadRules,
  things as loadThings,
} from './load-phrases.ts';
import { phraseBook, type Rule, rule } from './phrase-book.ts';

const NUMBER = String.raw`[-+]?[\d.,]+(?:e[-+]?\d+)?[²³]?(?:[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?(?: − 1)?|-?∞|NaN|-?nan|-?inf`;
const n = `(${NUMBER})`;

/** In the cases that the sentences need: "höchstens …", "mindestens …" take the nominative too. */
const things: Readonly<Record<string, string>> = {
  ...loadThings,
  none: 'nichts',
  empty: 'leer',
  missing: 'nichts',
  undefined: 'nichts',
  null: 'null',
  given: 'vorhanden',
  'a string': 'ein Text',
  'a number': 'eine Zahl',
  'a boolean': 'ein Wahrheitswert',
  'an object': 'ein Objekt',
  'a finite number': 'eine endliche Zahl',
  'a positive number': 'eine positive Zahl',
  'a whole number': 'eine ganze Zahl',
  numbers: 'Zahlen',
  'finite numbers': 'endliche Zahlen',
  'finite numbers or -infinity': 'endliche Zahlen oder -∞',
  'NaN or +infinity somewhere': 'irgendwo NaN oder +∞',
  'true or false': 'true oder false',
  'at least one': 'mindestens eines',
  'at least one row and one column': 'mindestens eine Zeile und eine Spalte',
  'at least one row': 'mindestens eine Zeile',
  'at least one word': 'mindestens ein Wort',
  'at least one token': 'mindestens ein Token',
  'at least one entry': 'mindestens ein Eintrag',
  'one row or one column': 'eine Zeile oder eine Spalte',
  'an id from the registry': 'eine Id aus dem Register',
  'an object with an id': 'ein Objekt mit einer Id',
  'a matrix {rows, cols, data}': 'eine Matrix {rows, cols, data}',
  'smaller sizes': 'kleinere Größen',
  'a new number': 'eine neue Zahl',
  'as many rows as columns, at least one': 'so viele Zeilen wie Spalten, mindestens eine',
  'as many rows as K': 'so viele Zeilen wie K',
  'a row for each query, a column for each key':
    'eine Zeile für jede Query, eine Spalte für jeden Key',
  'a column for each of d_k': 'eine Spalte für jedes von d_k',
  'the shape of the output': 'die Form der Ausgabe',
  'data in a Float32Array': 'Daten in einem Float32Array',
  'data of another type': 'Daten einer anderen Art',
  '1 (on) or 0 (off)': '1 (an) oder 0 (aus)',
  'a second time': 'ein zweites Mal',
  'each name once; the first one counts': 'jeder Name nur einmal; der erste zählt',
  'so large, with K and the scale, that scores overflow':
    'so groß, dass die Scores mit K und dem Skalenfaktor überlaufen',
  'NaN, +infinity, or so large that scores overflow':
    'NaN, +∞ oder so groß, dass die Scores überlaufen',
  'causal: a key for each query': 'kausal: ein Key für jede Query',
  'a key for each query': 'ein Key für jede Query',
  'as many batch entries and heads as Q': 'so viele Batch-Einträge und Heads wie Q',
  'at least one batch entry and one head': 'mindestens ein Batch-Eintrag und ein Head',
  'finite rates of at least 0': 'endliche Raten von mindestens 0',
  'at least 0 and less than 1': 'mindestens 0 und kleiner als 1',
  'fewer points or features': 'weniger Punkte oder Features',
  'at least 2, for an angle between them':
    'mindestens 2, damit es einen Winkel zwischen ihnen gibt',
  'a position from 0 to 2³¹ − 1': 'eine Position von 0 bis 2³¹ − 1',
  'finite numbers above 0': 'endliche Zahlen über 0',
  'at least 3: two always lie on a line': 'mindestens 3: zwei liegen immer auf einer Geraden',
  'the same at every point': 'an jedem Punkt dasselbe',
  'at least two different values': 'mindestens zwei verschiedene Werte',
  'at least one number of rows': 'mindestens eine Zeilenzahl',
  'a symmetric matrix': 'eine symmetrische Matrix',
  'finite weights ≥ 0': 'endliche Gewichte ≥ 0',
  'weights that sum to 1, or all 0': 'Gewichte, deren Summe 1 ist, oder alle 0',
  'counts of at least 0': 'Anzahlen von mindestens 0',
  'a count of more than 64 bits': 'eine Anzahl mit mehr als 64 Bit',
  'none: attention is not causal': 'nichts: Die Attention ist nicht kausal',
  'not declared': 'nicht deklariert',
  'a feature map whose rows do not depend on one another (stabilize 0; cosFormer: position.length given)':
    'eine Feature Map, deren Zeilen nicht voneinander abhängen (stabilize 0; cosFormer: position.length angegeben)',
  'a map whose rows do not depend on one another (stabilize 0; cosFormer: length given)':
    'eine Feature Map, deren Zeilen nicht voneinander abhängen (stabilize 0; cosFormer: length angegeben)',
  // Files.
  'an empty file': 'eine leere Datei',
  'rows of numbers, all of the same length': 'Zeilen aus Zahlen, alle gleich lang',
  'a NumPy .npy file or a table of numbers (.csv, .tsv, .txt)':
    'eine .npy-Datei von NumPy oder eine Tabelle aus Zahlen (.csv, .tsv, .txt)',
  'a .npy file with a two-dimensional array (tokens × d) of real numbers':
    'eine .npy-Datei mit einem zweidimensionalen Array (Token × d) aus reellen Zahlen',
  'a zip archive (.npz, .xlsx or .pt)': 'ein Zip-Archiv (.npz, .xlsx oder .pt)',
  'one array saved with np.save, or a CSV file':
    'ein Array, das mit np.save gespeichert wurde, oder eine CSV-Datei',
  'one array saved with np.save': 'ein Array, das mit np.save gespeichert wurde',
  'a gzip file': 'eine gzip-Datei',
  'the same file unpacked': 'dieselbe Datei, entpackt',
  'an HDF5 file': 'eine HDF5-Datei',
  'a PDF file': 'eine PDF-Datei',
  'a PNG picture': 'ein PNG-Bild',
  'a JPEG picture': 'ein JPEG-Bild',
  'a Python pickle': 'ein Pickle von Python',
  'a MATLAB file': 'eine MATLAB-Datei',
  'a CSV file: writematrix(A, "a.csv")': 'eine CSV-Datei: writematrix(A, "a.csv")',
  'a JSON object': 'ein JSON-Objekt',
  'a list in brackets (JSON, or a printed array)':
    'eine Liste in Klammern (JSON oder ein ausgegebenes Array)',
  "a .npy file that does not start with NumPy's magic bytes":
    'eine .npy-Datei, die nicht mit der Kennung von NumPy beginnt',
  'a binary file of a kind not known here': 'eine Binärdatei unbekannter Art',
  'a number in every cell': 'eine Zahl in jeder Zelle',
  'one decimal mark throughout': 'überall dasselbe Dezimalzeichen',
  'numbers up to 3.4e38': 'Zahlen bis 3.4e38',
  'numbers in every cell, or a name at the start of every line':
    'Zahlen in jeder Zelle oder ein Name am Anfang jeder Zeile',
  'The first column was read as row names.': 'Die erste Spalte wurde als Namen der Zeilen gelesen.',
  'Commas inside numbers were read as decimal marks.':
    'Kommas in Zahlen wurden als Dezimalzeichen gelesen.',
  'finite numbers only': 'nur endliche Zahlen',
  'This file is not JSON.': 'Diese Datei ist kein JSON.',
  'This file holds no progress of Attention Labs.':
    'Diese Datei enthält keinen Stand von Attention Labs.',
  'a newer request took the place of this one': 'eine neuere Anfrage hat diese abgelöst',
  'the request was cancelled': 'die Anfrage wurde abgebrochen',
  // Storage.
  'The browser’s storage for this site is full; this change is kept only until you leave.':
    'Der Speicher des Browsers für diese Website ist voll; diese Änderung bleibt nur, bis du gehst.',
  'The browser’s storage does not answer; this change is kept only until you leave.':
    'Der Speicher des Browsers antwortet nicht; diese Änderung bleibt nur, bis du gehst.',
  'This cannot be kept: the browser cannot copy it.':
    'Das lässt sich nicht aufbewahren: Der Browser kann es nicht kopieren.',
  'The browser does not let this page keep your work; save it as a file instead.':
    'Der Browser lässt diese Seite deine Arbeit nicht aufbewahren; speichere sie stattdessen als Datei.',
};

/** What follows an array's type and shape in a message. */
function arrayTrouble(english: string): string | undefined {
  if (english === '') return '';
  if (english === ': no entries') return ': keine Einträge';
  const [, dimensions] = /^: (\d+) dimensions$/.exec(english) ?? [];
  if (dimensions) return `: ${dimensions} ${dimensions === '1' ? 'Dimension' : 'Dimensionen'}`;
  const [, entries] = /^: (\d+) entries$/.exec(english) ?? [];
  if (entries) return `: ${entries} Einträge`;
  const [, bytes] = /^, cut off: (\d+) bytes of data$/.exec(english) ?? [];
  if (bytes) return `, abgeschnitten: ${bytes} Bytes an Daten`;
  const place = /^ with (.+) in row (\d+), column (\d+) \(counted from 0\)$/.exec(english);
  const value = place?.[1]?.replace(/, beyond float32$/, ', zu groß für float32');
  return place
    ? ` mit ${value} in Zeile ${place[2]}, Spalte ${place[3]} (von 0 gezählt)`
    : undefined;
}

const several = (list: string): string => list.replace(/ or (?=[^,]*$)/, ' oder ');

/** What makes things smaller. */
const advice: Readonly<Record<string, string>> = {
  'a smaller d_k or another map': 'ein kleineres d_k oder eine andere Feature Map',
  'fewer rows, a smaller d_k or another map':
    'weniger Zeilen, ein kleineres d_k oder eine andere Feature Map',
  'fewer features or a smaller d_v': 'weniger Features oder ein kleineres d_v',
};

const rules: readonly Rule[] = [
  ...loadRules,
  // Arrays of .npy files, and what is wrong with them.
  rule(`an? (structured|\\S+) array of shape (\\([^)]*\\))(.*)`, (type, shape, rest) => {
    const array = `ein ${type === 'structured' ? 'strukturiertes Array' : `Array aus ${type}`} der Form ${shape}`;
    const german = arrayTrouble(rest as string);
    return german === undefined ? undefined : array + german;
  }),
  rule(`${n} bytes of data`, '$1 Bytes an Daten'),
  rule(`(a \\.npy file .*); float32 is best: (.+)`, (file, how) => {
    const german = things[file as string];
    return german && `${german}; am besten float32: ${how}`;
  }),
  rule(`(a \\.npy file .*): 2 dimensions`, (file) => {
    const german = things[file as string];
    return german && `${german}: 2 Dimensionen`;
  }),
  rule(
    `The (.+) entries were (rounded|converted) to float32\\.`,
    (type, how) =>
      `Die Einträge vom Typ ${type} wurden ${how === 'rounded' ? 'auf float32 gerundet' : 'in float32 umgewandelt'}.`,
  ),
  rule(
    'The (.+) entries were read as 0 and 1\\.',
    'Die Einträge vom Typ $1 wurden als 0 und 1 gelesen.',
  ),
  rule(
    `The ${n} bytes after the array were left out\\.`,
    'Die $1 Bytes nach dem Array wurden weggelassen.',
  ),
  // Too much for the memory there is.
  rule(
    `at most ${n} MiB: (.+)`,
    (most, what) => `höchstens ${most} MiB: ${advice[what as string] ?? what}`,
  ),
  rule(
    `at most ${n} MiB( in a run)?`,
    (most, run) => `höchstens ${most} MiB${run ? ' in einem Lauf' : ''}`,
  ),
  rule(
    `at most ${n} numbers: fewer tokens or features`,
    'höchstens $1 Zahlen: weniger Token oder Features',
  ),
  rule(
    `at most (\\S+×\\S+), to be looked at cell by cell`,
    'höchstens $1, um Zelle für Zelle angesehen zu werden',
  ),
  rule(
    `at most ${n} entries of all draws together`,
    'höchstens $1 Einträge aller Ziehungen zusammen',
  ),
  rule(`at most ${n} rows`, 'höchstens $1 Zeilen'),
  rule(
    `no more than fit in ${n} MiB of memory with all that is made of them`,
    'nicht mehr, als mit allem, was daraus entsteht, in $1 MiB Speicher passen',
  ),
  rule(`${n} states of (\\S+)`, '$1 Zustände der Form $2'),
  rule(`${n} tokens`, '$1 Token'),
  rule(`${n} tokens? \\(${n} (bytes|MiB)\\)`, (tokens, size, unit) =>
    unit === 'MiB' ? `${tokens} Token (${size} MiB)` : `${tokens} Token (${size} Bytes)`,
  ),
  rule(`(.+) with ${n} features at d_k = (\\d+)`, '$1 mit $2 Features bei d_k = $3'),
  rule(
    `(.+) with a projection of ${n} MiB at d_k = (\\d+)`,
    '$1 mit einer Projektion von $2 MiB bei d_k = $3',
  ),
  rule(
    `(.+) with ${n} features for each of (\\d+) rows \\(${n} MiB\\)`,
    '$1 mit $2 Features für jede von $3 Zeilen ($4 MiB)',
  ),
  rule(`scores below ${n}`, 'Scores unter $1'),
  rule(`${n} (?:at|with) row (\\d+), column (\\d+)`, '$1 in Zeile $2, Spalte $3'),
  rule(`${n} at (entry|point) (\\d+)`, (value, what, index) =>
    what === 'entry' ? `${value} bei Eintrag ${index}` : `${value} bei Punkt ${index}`,
  ),
  rule(`${n} multiply-adds`, '$1 Multiply-Adds'),
  rule(`at most ${n} in a run`, 'höchstens $1 in einem Lauf'),
  rule(`${n} MiB`, '$1 MiB'),
  rule(`${n} ns`, '$1 ns'),
  rule(`${n} points`, '$1 Punkte'),
  rule(`${n} values`, '$1 Werte'),
  rule(`${n} numbers`, '$1 Zahlen'),
  rule(`fewer than ${n} numbers`, 'weniger als $1 Zahlen'),
  rule(`${n}, one for each x`, '$1, einer für jedes x'),
  rule(`${n} kept cells`, '$1 behaltene Zellen'),
  rule(
    `at most ${n}: a shorter sequence or fewer keys a row`,
    'höchstens $1: eine kürzere Sequenz oder weniger Keys je Zeile',
  ),
  rule(
    `(.+) with ${n} features at ${n} points`,
    (map, features, points) => `${map} mit ${features} Features an ${points} Punkten`,
  ),
  rule(`an even number: (.+) come in pairs`, 'eine gerade Zahl: $1 gibt es nur paarweise'),
  rule(`none: (.+) takes no (.+)`, 'nichts: $1 nimmt kein $2'),
  rule(`unknown to (.+)`, '$1 unbekannt'),
  rule(`given for (.+)`, 'für $1 angegeben'),
  rule(`1 to ${n}, the capacity`, '1 bis $1, die Kapazität'),
  rule(`at most ${n}, the capacity`, 'höchstens $1, die Kapazität'),
  rule(`a multiple of ${n}`, 'ein Vielfaches von $1'),
  rule(`a number from 1 on that divides ${n}`, 'eine Zahl ab 1, die $1 teilt'),
  rule(`a sum of ${n}`, 'eine Summe von $1'),
  rule(
    `entries that differ by ${n} across the diagonal`,
    'Einträge, die sich über die Diagonale um $1 unterscheiden',
  ),
  // Kept work.
  rule(
    'This file is of version (.+); this page reads version 1\\.',
    'Diese Datei hat Version $1; diese Seite liest Version 1.',
  ),
  rule(`Record (\\d+) of this file is damaged\\.`, 'Eintrag $1 dieser Datei ist beschädigt.'),
  rule(`at least ${n}`, 'mindestens $1'),
  rule(`at most ${n}`, 'höchstens $1'),
  rule(`${n} to ${n}`, '$1 bis $2'),
  rule(`a number ≥ ${n}`, 'eine Zahl ≥ $1'),
  rule(`numbers above ${n}`, 'Zahlen über $1'),
  rule(`a finite number above ${n}`, 'eine endliche Zahl über $1'),
  rule(`a number of at least ${n}`, 'eine Zahl von mindestens $1'),
  rule(`a number of at most ${n}`, 'eine Zahl von höchstens $1'),
  rule(`a number between ${n} and ${n}`, 'eine Zahl zwischen $1 und $2'),
  rule(`a number from ${n} to below ${n}`, 'eine Zahl von $1 bis unter $2'),
  rule(`a number from ${n} to ${n}`, 'eine Zahl von $1 bis $2'),
  rule(`a whole number from ${n} to ${n}`, 'eine ganze Zahl von $1 bis $2'),
  rule(`a whole number below ${n}`, 'eine ganze Zahl unter $1'),
  rule(`whole numbers below ${n}`, 'ganze Zahlen unter $1'),
  rule(`at most ${n} characters, not ${n}`, 'höchstens $1 Zeichen, nicht $2'),
  rule(`at most ${n} numbers in (.+)`, 'höchstens $1 Zahlen in $2'),
  rule(`at most ${n} (?:entries|numbers)`, 'höchstens $1 Einträge'),
  rule(
    `at most ${n} (MiB|tokens|samples in all)`,
    (most, what) =>
      `höchstens ${most} ${{ tokens: 'Token', 'samples in all': 'Stichproben insgesamt' }[what as string] ?? what}`,
  ),
  rule(`${n}, the only one this page knows`, '$1, die einzige, die diese Seite kennt'),
  rule(`a divisor of (.+)`, 'ein Teiler von $1'),
  rule(`one of (.+)`, (list) => `eins von ${several(list as string)}`),
  rule(`names from: (.+)`, 'Namen aus: $1'),
  rule(`a parameter of (.+)`, 'ein Parameter von $1'),
  rule(`('.*') a second time`, '$1 ein zweites Mal'),
  // Shapes: "16 columns (as K)", "11 rows".
  rule(`${n} rows?`, '$1 Zeilen'),
  rule(`${n} columns?`, '$1 Spalten'),
  rule(`(\\S+×\\S+) \\((.+)\\)`, (shape, reason) => {
    const german = phrase(reason as string);
    return german && `${shape} (${german})`;
  }),
  rule(`as many (rows|columns) as (.+?)(: \\S+)?`, (what, whose, symbol = '') => {
    const german =
      whose === 'the map was made for' ? 'die, für die die Feature Map gemacht ist' : whose;
    return `so viele ${what === 'rows' ? 'Zeilen' : 'Spalten'} wie ${german}${symbol}`;
  }),
  rule(`(.+) not a whole number`, '$1 keine ganze Zahl'),
  rule(`(.+) somewhere`, 'irgendwo $1'),
  // Files.
  rule(`a (?:text )?file of ${n} MiB`, 'eine Datei von $1 MiB'),
  rule(
    `at most ${n} MiB; a \\.npy file holds the same numbers in less`,
    'höchstens $1 MiB; eine .npy-Datei fasst dieselben Zahlen in weniger',
  ),
  rule(`bytes that are not (\\S+) text`, 'Bytes, die kein $1-Text sind'),
  rule(`('.*'), which the browser cannot open`, '$1, was der Browser nicht öffnen kann'),
  rule(`('.*'), which is not a number`, '$1, was keine Zahl ist'),
  rule(`(.+), beyond float32`, '$1, zu groß für float32'),
  rule(`an entry of more than ${n} characters`, 'ein Eintrag mit mehr als $1 Zeichen'),
  rule(`more than ${n} entries`, 'mehr als $1 Einträge'),
  rule(
    `more than ${n} entries, reached in line (\\d+)`,
    'mehr als $1 Einträge, erreicht in Zeile $2',
  ),
  rule('text after a closing quote', 'Text nach einem schließenden Anführungszeichen'),
  rule('a quote that is never closed', 'ein Anführungszeichen, das nie geschlossen wird'),
  rule('a name and no numbers', 'ein Name und keine Zahlen'),
  rule('an empty cell', 'eine leere Zelle'),
  rule(
    `${n} (?:numbers?|entries|entry), while the lines before have ${n}`,
    '$1 Einträge, in den Zeilen davor aber $2',
  ),
  rule(
    `${n} (?:numbers?|entries|entry), while line (\\d+) names ${n} columns`,
    '$1 Einträge, aber Zeile $2 nennt $3 Spalten',
  ),
  rule(
    `('.*'), while earlier numbers have a decimal (comma|point)`,
    (cell, mark) =>
      `${cell}, aber frühere Zahlen haben ein${mark === 'comma' ? ' Dezimalkomma' : 'en Dezimalpunkt'}`,
  ),
  rule(
    `('.*') at the start of the first line, but a number in line (\\d+), column 1`,
    '$1 am Anfang der ersten Zeile, aber eine Zahl in Zeile $2, Spalte 1',
  ),
  rule(`Line (\\d+) was read as column names\\.`, 'Zeile $1 wurde als Namen der Spalten gelesen.'),
];

/** "line 3: …" and "line 3, column 2: …": where, then what. */
const PLACE = /^line (\d+)(?:, column (\d+))?: (.+)$/s;

const known = phraseBook({ ...things, ...advice }, rules);

function phrase(english: string): string | undefined {
  const [, line, column, what] = PLACE.exec(english) ?? [];
  if (what === undefined) return known(english);
  const german = phrase(what);
  return german && `Zeile ${line}${column ? `, Spalte ${column}` : ''}: ${german}`;
}

export const phrases: Phrases = { ...loadPhrases, phrase };
