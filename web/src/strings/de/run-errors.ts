/**
 * Was der Code von Lernenden an Fehlern wirft, auf Deutsch: die Sätze, die der Interpreter auf Englisch
 * sagt (python/messages.ts, python/lint.ts, javascript/errors.ts, sandbox.ts). Was NumPy über Formen
 * sagt und was der Code selbst wirft, bleibt.
 */
import { phraseBook, type Rule, rule } from './phrase-book.ts';

const kinds: Readonly<Record<string, string>> = {
  none: 'None',
  'an array': 'ein Array',
  text: 'Text',
  'a whole number': 'eine ganze Zahl',
  'a number': 'eine Zahl',
  'a list': 'eine Liste',
  'a tuple': 'ein Tupel',
  'a dict': 'ein Dict',
  'a function': 'eine Funktion',
  'true or false': 'True oder False',
};
const KIND =
  '(None|True or False|[Tt]ext|[Aa]n array|[Aa] (?:whole number|number|list|tuple|dict|function|`\\w+`))';
const kind = (english = ''): string =>
  kinds[english.toLowerCase()] ?? english.replace(/^a /i, 'ein Wert der Klasse ');
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const gives = 'Eine Funktion ohne `return` gibt None zurück.';
const endless =
  'Eine Funktion ruft sich immer wieder selbst auf, ohne Ende. Was sollte sie anhalten?';

const things: Readonly<Record<string, string>> = {
  'A name of this function is used before it is given a value.':
    'Ein Name dieser Funktion wird benutzt, bevor er einen Wert bekommt.',
  'A whole number is needed here, and this one has a point. Use `int(…)` or divide with `//`.':
    'Hier wird eine ganze Zahl gebraucht, und diese hat einen Dezimalpunkt. Nimm `int(…)` oder teile mit `//`.',
  "This function takes one number and was given an array. For arrays use NumPy's: `np.sqrt`, `np.exp`, `np.log`.":
    'Diese Funktion nimmt eine Zahl und hat ein Array bekommen. Für Arrays gibt es die von NumPy: `np.sqrt`, `np.exp`, `np.log`.',
  'Division by zero.': 'Division durch null.',
  'A function calls itself again and again without an end. What should make it stop?': endless,
  'Your code asked for more memory than there is. Look at the size of the arrays and lists it makes.':
    'Dein Code hat mehr Speicher verlangt, als es gibt. Sieh nach, wie groß die Arrays und Listen sind, die er anlegt.',
  'Slices with a step work on arrays here, not on text or lists that are written to.':
    'Slices mit Schrittweite gehen hier mit Arrays, nicht mit Text und nicht mit Listen, in die geschrieben wird.',
  'This line is indented like none of the lines before it.':
    'Diese Zeile ist eingerückt wie keine der Zeilen davor.',
  'This line is indented by mistake, or the one before it is not.':
    'Diese Zeile ist versehentlich eingerückt, oder die davor ist es versehentlich nicht.',
  '`return` stands outside of a function. Is it indented?':
    '`return` steht außerhalb einer Funktion. Ist es eingerückt?',
  'Nothing can be assigned to what stands left of `=`. To compare, write `==`.':
    'Dem, was links von `=` steht, lässt sich nichts zuweisen. Zum Vergleichen schreib `==`.',
  'Python does not understand this line, or the end of the one before it.':
    'Python versteht diese Zeile nicht, oder das Ende der Zeile davor.',
  'An array of several entries is neither True nor False. Use np.where, a mask, or .any() and .all().':
    'Ein Array mit mehreren Einträgen ist weder True noch False. Nimm np.where, eine Maske oder .any() und .all().',
  // Modules that are not here.
  'There is no matplotlib here: the page draws what your function returns. Leave the plot out.':
    'matplotlib gibt es hier nicht: Die Seite zeichnet, was deine Funktion zurückgibt. Lass den Plot weg.',
  'There is no seaborn here: the page draws what your function returns. Leave the plot out.':
    'seaborn gibt es hier nicht: Die Seite zeichnet, was deine Funktion zurückgibt. Lass den Plot weg.',
  'There is no scipy here. NumPy has np.exp, np.linalg and np.random; softmax is yours to write.':
    'scipy gibt es hier nicht. NumPy hat np.exp, np.linalg und np.random; Softmax schreibst du selbst.',
  'There is no enum here. Write constants: `RED = 1`.':
    'enum gibt es hier nicht. Schreib Konstanten: `RED = 1`.',
  'There is no pandas here. Use NumPy arrays, lists and dicts.':
    'pandas gibt es hier nicht. Nimm Arrays von NumPy, Listen und Dicts.',
  'There is no scikit-learn here. NumPy is.': 'scikit-learn gibt es hier nicht, aber NumPy.',
  'There is no JAX here. Use numpy.': 'JAX gibt es hier nicht. Nimm numpy.',
  'There is no TensorFlow here. Use numpy, or the small torch.':
    'TensorFlow gibt es hier nicht. Nimm numpy oder das kleine torch.',
  // Before anything runs.
  '`print` needs brackets: `print(x)`.': '`print` braucht Klammern: `print(x)`.',
  'The quote that opens here is never closed.':
    'Das Anführungszeichen, das hier aufgeht, wird nie geschlossen.',
  'A colon `:` is missing at the end of this line.':
    'Am Ende dieser Zeile fehlt ein Doppelpunkt `:`.',
  'After the colon comes an indented line. If there is nothing to do yet, write `pass`.':
    'Nach dem Doppelpunkt kommt eine eingerückte Zeile. Wenn noch nichts zu tun ist, schreib `pass`.',
  'One `=` gives a name a value. To compare, write `==`.':
    'Ein einzelnes `=` gibt einem Namen einen Wert. Zum Vergleichen schreib `==`.',
  'Something is missing after this sign.': 'Nach diesem Zeichen fehlt etwas.',
  'This line is not complete.': 'Diese Zeile ist nicht vollständig.',
  // JavaScript, and the sandbox.
  'the function calls itself without end, or too many times for one call':
    'die Funktion ruft sich ohne Ende selbst auf, oder zu oft für einen Aufruf',
  'an array this large does not fit into the memory of a run':
    'ein so großes Array passt nicht in den Speicher eines Laufs',
  'leave out `export`: the function is found by its name':
    'lass `export` weg: Die Funktion wird an ihrem Namen gefunden',
  'there is nothing to import: Matrix and the given functions are there already':
    'es gibt nichts zu importieren: Matrix und die vorgegebenen Funktionen sind schon da',
  'the memory of a run was used up': 'der Speicher eines Laufs ist aufgebraucht',
  'it printed more than 2 000 000 characters, so it was stopped':
    'es wurden mehr als 2 000 000 Zeichen ausgegeben, darum wurde angehalten',
  'the worker that ran it ended, most likely because it took too much memory':
    'der Worker, in dem es lief, ist zu Ende gegangen, wahrscheinlich weil es zu viel Speicher brauchte',
};

const rules: readonly Rule[] = [
  rule(
    'The name (`.+`) is not known here\\. Is it spelled right, and given a value before\\?',
    'Der Name $1 ist hier nicht bekannt. Ist er richtig geschrieben, und hat er vorher einen Wert bekommen?',
  ),
  rule(
    'There is no module (`.+`) here\\. There are (.+) and pytest\\.',
    (name, list) =>
      `Ein Modul ${name} gibt es hier nicht. Es gibt ${list?.replace('a small part', 'einen kleinen Teil')} und pytest.`,
  ),
  rule(
    'The module has nothing called (`.+`), or this Python leaves it out\\.',
    'Das Modul hat nichts mit dem Namen $1, oder dieses Python lässt es weg.',
  ),
  rule(
    'One side of (`.+`) is None\\. A function without `return` gives None\\.',
    `Eine Seite von $1 ist None. ${gives}`,
  ),
  rule(
    '(`.+`) needs the array on its left side here: write it the other way round\\.',
    '$1 braucht das Array hier auf der linken Seite: Schreib es andersherum.',
  ),
  rule(
    'A list and an array do not go together with (`.+`)\\. Make the list an array: `np\\.array\\(…\\)`\\.',
    'Eine Liste und ein Array passen mit $1 nicht zusammen. Mach aus der Liste ein Array: `np.array(…)`.',
  ),
  rule(
    `(\`.+\`) does not work between ${KIND} and ${KIND}\\.`,
    (sign, left, right) =>
      `${sign} geht nicht mit diesen beiden Seiten: links ${kind(left)}, rechts ${kind(right)}.`,
  ),
  rule(
    `Square brackets do not work on ${KIND}\\.( A function without .*)?`,
    (what, none) =>
      `Eckige Klammern gehen hier nicht: Das ist ${kind(what)}.${none ? ` ${gives}` : ''}`,
  ),
  rule(
    `(\`.+\`) does not work on ${KIND}\\.`,
    (sign, what) => `${sign} geht hier nicht: Das ist ${kind(what)}.`,
  ),
  rule(
    `${KIND} is followed by round brackets as if it were a function\\. .*`,
    (what) =>
      `Runde Klammern wie hinter einer Funktion, aber davor steht ${kind(what)}. Fehlt ein \`*\`, oder sollten die Klammern eckig sein?`,
  ),
  rule(
    `A loop needs something with entries, and this is ${KIND}\\.`,
    (what) => `Eine Schleife braucht etwas mit Einträgen, und das hier ist ${kind(what)}.`,
  ),
  rule(
    '(`\\S+`|The function) takes (\\d+) arguments?, and it was given (\\d+)\\.',
    (name, wanted, given) =>
      `${name === 'The function' ? 'Die Funktion' : name} nimmt ${wanted === '1' ? 'ein Argument' : `${wanted} Argumente`} und hat ${given} bekommen.`,
  ),
  rule(
    'The call leaves out an argument that the function needs\\.',
    () => 'Im Aufruf fehlt ein Argument, das die Funktion braucht.',
  ),
  rule(
    'The call leaves out (\\d+) arguments that the function needs\\.',
    'Im Aufruf fehlen $1 Argumente, die die Funktion braucht.',
  ),
  rule(
    'The call leaves out (`.+`|argument \\d+), which the function needs\\.',
    (what) =>
      `Im Aufruf fehlt ${what?.replace('argument', 'Argument')}, und die Funktion braucht es.`,
  ),
  rule(
    'The function has no parameter (`\\w+`|of that name)\\. Is it spelled right\\?',
    (name) =>
      `Die Funktion hat keinen Parameter ${name === 'of that name' ? 'mit diesem Namen' : name}. Ist er richtig geschrieben?`,
  ),
  rule(
    'There are more values on the right than the (\\d+) names on the left of `=`\\.',
    'Rechts stehen mehr Werte als die $1 Namen links von `=`.',
  ),
  rule(
    'There (?:is only 1 value|are only (\\d+) values) on the right, fewer than the names on the left of `=`\\.',
    (count) =>
      `Rechts ${count ? `stehen nur ${count} Werte` : 'steht nur ein Wert'}, weniger als Namen links von \`=\`.`,
  ),
  rule(
    `${KIND} is no (whole )?number\\.`,
    (what, whole) => `${capital(kind(what))} ist keine ${whole ? 'ganze ' : ''}Zahl.`,
  ),
  rule(
    'This is None, so it has no (`.+`)\\. A function without `return` gives None\\.',
    `Das ist None, es hat also kein $1. ${gives}`,
  ),
  rule(
    'A list has no (`\\.\\w+`)\\. Make it an array: `np\\.array\\(…\\)`\\.',
    'Eine Liste hat kein $1. Mach ein Array daraus: `np.array(…)`.',
  ),
  rule(
    `${KIND} has no (\`\\.\\w+\`)\\.`,
    (what, name) => `${capital(kind(what))} hat kein ${name}.`,
  ),
  rule(
    'There is no entry at that place: the (\\w+) is shorter\\. Counting begins at 0\\.',
    (what) => {
      const of = {
        list: 'die Liste',
        tuple: 'das Tupel',
        range: 'der Bereich',
        bytes: 'die Bytefolge',
      };
      return `An dieser Stelle gibt es keinen Eintrag: ${of[what as keyof typeof of] ?? 'der Text'} ist kürzer. Gezählt wird ab 0.`;
    },
  ),
  rule(
    'A function calls itself more than about (\\d+) calls deep, which is the limit here\\. What should make it stop\\? If it has to go deeper, write a loop\\.',
    'Eine Funktion ruft sich tiefer als etwa $1-mal selbst auf; mehr geht hier nicht. Was sollte sie anhalten? Wenn es tiefer gehen muss, schreib eine Schleife.',
  ),
  rule(
    'The depth of recursion is fixed here, at about (\\d+) calls\\. Write it as a loop\\.',
    'Wie tief die Rekursion gehen kann, ist hier festgelegt: etwa $1 Aufrufe. Schreib es als Schleife.',
  ),
  rule('The dict has no entry (`.+`)\\.', 'Das Dict hat keinen Eintrag $1.'),
  rule(
    'There is not so much memory: (.+)\\. Look at the sizes of the arrays you make\\.',
    'So viel Speicher gibt es nicht: $1. Sieh nach, wie groß die Arrays sind, die du anlegst.',
  ),
  rule('(`\\w+`) stands outside of a loop\\.', '$1 steht außerhalb einer Schleife.'),
  rule(
    '`@` needs as many columns on the left as rows on the right: (\\d+) and (\\d+)\\. Is a transpose missing\\? (.*)',
    '`@` braucht links so viele Spalten wie rechts Zeilen: $1 und $2. Fehlt eine Transposition? $3',
  ),
  rule(
    'These shapes do not fit each other: (.+)\\. From the last axis on, .*',
    'Diese Formen passen nicht zueinander: $1. Von der letzten Achse an müssen die Längen gleich oder 1 sein; keepdims=True behält eine Achse.',
  ),
  rule('(\\w+) was raised\\.', '$1 wurde geworfen.'),
  rule(
    'There is no function (`.+`) in your file\\. Keep its name as it was\\.',
    'In deiner Datei gibt es keine Funktion $1. Lass ihr den Namen, den sie hatte.',
  ),
  rule(
    '(`.+`) is no function: something else was given that name\\.',
    '$1 ist keine Funktion: Etwas anderes hat diesen Namen bekommen.',
  ),
  // Before anything runs.
  rule(
    'The bracket (`.`) that opens here is never closed with (`.`)\\.',
    'Die Klammer $1, die hier aufgeht, wird nie mit $2 geschlossen.',
  ),
  rule(
    'This (`.*`) belongs to nothing: look at its indentation and at the line before\\.',
    'Dieses $1 gehört zu nichts: Sieh dir seine Einrückung und die Zeile davor an.',
  ),
  rule('There is no open bracket for this (`.`)\\.', 'Zu diesem $1 gibt es keine offene Klammer.'),
  rule(
    'Python does not understand this line at (`.+`)\\.',
    'Python versteht diese Zeile bei $1 nicht.',
  ),
  rule(
    '(`.+`) is not in this Python\\. Write (`.+`)\\.',
    '$1 gibt es in diesem Python nicht. Schreib $2.',
  ),
  // JavaScript, and the sandbox.
  rule(
    'there is no function (\\S+): keep the name it has in the starter',
    'es gibt keine Funktion $1: Lass ihr den Namen, den sie am Anfang hatte',
  ),
  rule(
    'there was no answer within (\\S+) s, so it was stopped: does a loop never end\\?',
    'innerhalb von $1 s kam keine Antwort, darum wurde angehalten: Gibt es eine Schleife, die nie endet?',
  ),
];

export const runErrors = phraseBook(things, rules);
