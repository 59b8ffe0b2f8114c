/**
 * Was zu den Fehlern im Code von Lernenden gesagt wird, auf Deutsch (exercises/run-phrases.ts). Was NumPy
 * über Formen sagt und was der Code selbst wirft, bleibt.
 */
import type { Translated } from '#client/phrases';
import type { runPhrases } from '../../exercises/run-phrases.ts';

const gives = 'Eine Funktion ohne `return` gibt None zurück.';
const place = 'An dieser Stelle gibt es keinen Eintrag:';

const run: Translated<typeof runPhrases> = {
  // Arten von Werten.
  kind_none: 'None',
  kind_array: 'ein Array',
  kind_text: 'Text',
  kind_whole: 'eine ganze Zahl',
  kind_number: 'eine Zahl',
  kind_list: 'eine Liste',
  kind_tuple: 'ein Tupel',
  kind_dict: 'ein Dict',
  kind_function: 'eine Funktion',
  kind_bool: 'True oder False',
  kind_class: 'ein Wert der Klasse `{name}`',
  // Namen und Module.
  name_unknown:
    'Der Name `{name}` ist hier nicht bekannt. Ist er richtig geschrieben, und hat er vorher einen Wert bekommen?',
  name_unbound: 'Ein Name dieser Funktion wird benutzt, bevor er einen Wert bekommt.',
  no_module:
    'Ein Modul `{name}` gibt es hier nicht. Es gibt numpy, torch (einen kleinen Teil), math, statistics, random, re, string, json, typing, dataclasses, functools, itertools, collections, operator, heapq, bisect, copy, time und pytest.',
  no_matplotlib:
    'Von matplotlib gibt es hier nur matplotlib.pyplot, und davon, was Bilder von Attention zeichnet.',
  no_seaborn: 'Von seaborn gibt es hier nur heatmap: import seaborn as sns.',
  no_scipy:
    'scipy gibt es hier nicht. NumPy hat np.exp, np.linalg und np.random; Softmax schreibst du selbst.',
  no_enum: 'enum gibt es hier nicht. Schreib Konstanten: `RED = 1`.',
  no_pandas: 'pandas gibt es hier nicht. Nimm Arrays von NumPy, Listen und Dicts.',
  no_sklearn: 'scikit-learn gibt es hier nicht, aber NumPy.',
  no_jax: 'JAX gibt es hier nicht. Nimm numpy.',
  no_tensorflow: 'TensorFlow gibt es hier nicht. Nimm numpy oder das kleine torch.',
  not_in_module: 'Das Modul hat nichts mit dem Namen `{name}`, oder dieses Python lässt es weg.',
  // Operatoren, Klammern und Aufrufe.
  side_none: `Eine Seite von \`{sign}\` ist None. ${gives}`,
  array_left: '`{sign}` braucht das Array hier auf der linken Seite: Schreib es andersherum.',
  list_and_array:
    'Eine Liste und ein Array passen mit `{sign}` nicht zusammen. Mach aus der Liste ein Array: `np.array(…)`.',
  not_between: '`{sign}` geht nicht mit diesen beiden Seiten: links {left}, rechts {right}.',
  not_on: '`{sign}` geht hier nicht: Das ist {kind}.',
  no_brackets: 'Eckige Klammern gehen hier nicht: Das ist {kind}.',
  no_brackets_none: `Eckige Klammern gehen hier nicht: Das ist None. ${gives}`,
  not_callable:
    'Runde Klammern wie hinter einer Funktion, aber davor steht {kind}. Fehlt ein `*`, oder sollten die Klammern eckig sein?',
  not_iterable: 'Eine Schleife braucht etwas mit Einträgen, und das hier ist {kind}.',
  takes_arguments: ({ name, n, given }) =>
    `\`${name}\` nimmt ${n === 1 ? 'ein Argument' : `${n} Argumente`} und hat ${given} bekommen.`,
  function_takes_arguments: ({ n, given }) =>
    `Die Funktion nimmt ${n === 1 ? 'ein Argument' : `${n} Argumente`} und hat ${given} bekommen.`,
  leaves_out_one: 'Im Aufruf fehlt ein Argument, das die Funktion braucht.',
  leaves_out_several: 'Im Aufruf fehlen {n} Argumente, die die Funktion braucht.',
  leaves_out_name: 'Im Aufruf fehlt `{name}=`, und die Funktion braucht es.',
  leaves_out_place: 'Im Aufruf fehlt Argument {place}, und die Funktion braucht es.',
  no_parameter: 'Die Funktion hat keinen Parameter `{name}`. Ist er richtig geschrieben?',
  no_such_parameter:
    'Die Funktion hat keinen Parameter mit diesem Namen. Ist er richtig geschrieben?',
  // Werte.
  needs_whole:
    'Hier wird eine ganze Zahl gebraucht, und diese hat einen Dezimalpunkt. Nimm `int(…)` oder teile mit `//`.',
  math_of_array:
    'Diese Funktion nimmt eine Zahl und hat ein Array bekommen. Für Arrays gibt es die von NumPy: `np.sqrt`, `np.exp`, `np.log`.',
  no_whole_number: '{^kind} ist keine ganze Zahl.',
  no_number: '{^kind} ist keine Zahl.',
  many_values: 'Rechts stehen mehr Werte als die {n} Namen links von `=`.',
  few_values: ({ n }) =>
    `Rechts ${n === 1 ? 'steht nur ein Wert' : `stehen nur ${n} Werte`}, weniger als Namen links von \`=\`.`,
  none_has_no: `Das ist None, es hat also kein \`.{name}\`. ${gives}`,
  list_has_no: 'Eine Liste hat kein `.{name}`. Mach ein Array daraus: `np.array(…)`.',
  has_no: '{^kind} hat kein `.{name}`.',
  by_zero: 'Division durch null.',
  no_entry_list: `${place} die Liste ist kürzer. Gezählt wird ab 0.`,
  no_entry_tuple: `${place} das Tupel ist kürzer. Gezählt wird ab 0.`,
  no_entry_range: `${place} der Bereich ist kürzer. Gezählt wird ab 0.`,
  no_entry_bytes: `${place} die Bytefolge ist kürzer. Gezählt wird ab 0.`,
  no_entry_text: `${place} der Text ist kürzer. Gezählt wird ab 0.`,
  no_key: 'Das Dict hat keinen Eintrag `{name}`.',
  slice_step:
    'Slices mit Schrittweite gehen hier mit Arrays, nicht mit Text und nicht mit Listen, in die geschrieben wird.',
  // Tiefe und Speicher.
  too_deep:
    'Eine Funktion ruft sich tiefer als etwa {n}-mal selbst auf; mehr geht hier nicht. Was sollte sie anhalten? Wenn es tiefer gehen muss, schreib eine Schleife.',
  fixed_depth:
    'Wie tief die Rekursion gehen kann, ist hier festgelegt: etwa {n} Aufrufe. Schreib es als Schleife.',
  no_memory_for:
    'So viel Speicher gibt es nicht: {what}. Sieh nach, wie groß die Arrays sind, die du anlegst.',
  no_memory:
    'Dein Code hat mehr Speicher verlangt, als es gibt. Sieh nach, wie groß die Arrays und Listen sind, die er anlegt.',
  memory_gone:
    'Dein Code hat mehr Speicher verlangt, als es gibt. Sieh dir die Größen der Arrays und Listen an, die er macht.',
  interpreter_stopped:
    'Python selbst ist stehen geblieben ({reason}). Lass deinen Code noch einmal laufen.',
  // Formen.
  shapes_of_matmul:
    '`@` braucht links so viele Spalten wie rechts Zeilen: {left} und {right}. Fehlt eine Transposition? ({numpy})',
  shapes_of_stacks:
    '`@` braucht links so viele Spalten wie rechts Zeilen: {left} und {right}. Bei einem Stapel von Matrizen dreht `.T` alle Achsen um; `.swapaxes(-1, -2)` transponiert jede Matrix. ({numpy})',
  whole_repeats:
    '{numpy}: `np.repeat` nimmt ganze Zahlen, wie `h // g` eine ist und `h / g` keine.',
  shapes_of_broadcast:
    'Diese Formen passen nicht zueinander: {shapes}. Von der letzten Achse an müssen die Längen gleich oder 1 sein; keepdims=True behält eine Achse.',
  truth_of_array:
    'Ein Array mit mehreren Einträgen ist weder True noch False. Nimm np.where, eine Maske oder .any() und .all().',
  was_raised: '{type} wurde geworfen.',
  // Bevor etwas läuft: was Python nicht versteht.
  unindent: 'Diese Zeile ist eingerückt wie keine der Zeilen davor.',
  indent: 'Diese Zeile ist versehentlich eingerückt, oder die davor ist es versehentlich nicht.',
  return_outside: '`return` steht außerhalb einer Funktion. Ist es eingerückt?',
  outside_loop: '`{word}` steht außerhalb einer Schleife.',
  cannot_assign:
    'Dem, was links von `=` steht, lässt sich nichts zuweisen. Zum Vergleichen schreib `==`.',
  syntax: 'Python versteht diese Zeile nicht, oder das Ende der Zeile davor.',
  syntax_at: 'Python versteht diese Zeile bei `{near}` nicht.',
  print_brackets: '`print` braucht Klammern: `print(x)`.',
  open_quote: 'Das Anführungszeichen, das hier aufgeht, wird nie geschlossen.',
  open_bracket: 'Die Klammer `{open}`, die hier aufgeht, wird nie mit `{close}` geschlossen.',
  no_open_bracket: 'Zu diesem `{sign}` gibt es keine offene Klammer.',
  no_colon: 'Am Ende dieser Zeile fehlt ein Doppelpunkt `:`.',
  no_body:
    'Nach dem Doppelpunkt kommt eine eingerückte Zeile. Wenn noch nichts zu tun ist, schreib `pass`.',
  one_equals: 'Ein einzelnes `=` gibt einem Namen einen Wert. Zum Vergleichen schreib `==`.',
  belongs_to_nothing:
    'Dieses `{word}` gehört zu nichts: Sieh dir seine Einrückung und die Zeile davor an.',
  after_sign: 'Nach diesem Zeichen fehlt etwas.',
  after_word: 'Nach `{word}` fehlt etwas.',
  before_sign: 'Vor diesem Zeichen fehlt etwas.',
  side_by_side:
    '`{left}` und `{right}` stehen nebeneinander. Dazwischen fehlt ein Operator, ein Komma oder ein Zeilenumbruch.',
  other_bracket:
    '`{sign}` kann die Klammer `{open}` nicht schließen, die hier offen ist. Schreib `{close}`.',
  return_assigns:
    '`return` gibt einen Wert zurück und kann keinem Namen einen geben: kein `=` hier. Zum Vergleichen schreib `==`.',
  misspelled: 'Python kennt kein Wort `{word}`. Meinst du `{meant}`?',
  reserved_word:
    '`{word}` ist ein Wort von Python selbst und kann kein Name sein. Nimm einen anderen.',
  statement_inside: '`{word}` beginnt eine eigene Anweisung. Sie gehört in eine neue Zeile.',
  else_condition: '`else` hat keine Bedingung. Mit einer Bedingung schreib `elif`.',
  def_form: 'Hier werden ein Name und Klammern gebraucht, wie in `def f(x):`.',
  for_form: 'Es fehlt das Wort `in`: Eine Schleife schreibt man `for i in range(n):`.',
  import_form: 'Einen Import schreibt man `import numpy as np` oder `from math import sqrt`.',
  if_without_else: 'Ein `if` in einem Wert braucht auch ein `else`: `a if bedingung else b`.',
  lambda_colon: 'Nach den Parametern von `lambda` fehlt ein Doppelpunkt.',
  stray_colon:
    'Ein Doppelpunkt am Ende gehört zu Zeilen, die mit `def`, `if`, `for` und Ähnlichem beginnen; diese beginnt anders.',
  sign_instead: 'Das Zeichen `{sign}` passt hier nicht. Schreib `{instead}`.',
  sign_unknown: 'Das Zeichen `{sign}` bedeutet für Python nichts.',
  // Was es in diesem Python nicht gibt.
  left_out: '`{name}` gibt es in diesem Python nicht.',
  several_bases:
    'Mehrere Basisklassen, die eine gemeinsame haben oder `super()` aufrufen, gibt es in diesem Python nicht. Gib der Klasse eine Basis, und leg die anderen in Attribute.',
  write_instead: '`{what}` gibt es in diesem Python nicht. Schreib `{instead}`.',
  type_parameters: 'Typparameter in eckigen Klammern gibt es in diesem Python nicht. Lass sie weg.',
  lambda_in_fstring:
    'Ein `lambda` in einem f-String gibt es in diesem Python nicht. Gib ihm davor einen Namen.',
  star_needs_brackets:
    'Setz Klammern darum: `(*a, b)`. Ohne sie entpackt dieses Python hier nicht.',
  class_keywords: 'Schlüsselwörter wie `metaclass=` gibt es in diesem Python nicht. Lass sie weg.',
  named_letters:
    'Namen wie `\\N{GREEK SMALL LETTER PHI}` gibt es in diesem Python nicht. Schreib das Zeichen selbst.',
  // Die Funktion, nach der gefragt ist.
  no_function:
    'In deiner Datei gibt es keine Funktion `{name}`. Lass ihr den Namen, den sie hatte.',
  measured_lists:
    'Diese Aufgabe misst deine Listen, deshalb kann dein Code `{name}` nicht benutzen.',
  no_longer_function: '`{name}` ist keine Funktion: Etwas anderes hat diesen Namen bekommen.',
  // Matrizen von JavaScript.
  m_times:
    '`times` braucht links so viele Spalten wie rechts Zeilen: {left} und {right}. Fehlt ein `transpose()`?',
  m_shapes:
    '`{name}` geht Eintrag für Eintrag vor, und {one} und {other} passen nicht zueinander. Zeilen und Spalten müssen gleich viele sein oder 1, die wiederholt wird.',
  m_times_takes:
    '`times` multipliziert mit einer Matrix und hat `{given}` bekommen. Für eine Zahl schreib `mul`.',
  m_takes: '`{name}` nimmt eine Matrix und hat `{given}` bekommen.',
  m_signs:
    'Zeichen wie + und * rechnen nicht mit Matrizen, und `Math.exp` auch nicht. Schreibe `a.plus(b)`, `a.minus(b)`, `a.times(b)` (das Matrixprodukt), `a.mul(b)` und `a.div(b)` (Eintrag für Eintrag), `a.exp()`. In einem Text schreibe `String(a)`.',
  m_brackets:
    'Eine Matrix hat keine Einträge in Klammern. Lies einen mit `m.get(i, j)` und schreib einen mit `m.set(i, j, x)`.',
  m_takes_either: '`{name}` nimmt eine Matrix oder eine Zahl und hat `{given}` bekommen.',
  m_map: '`map` nimmt eine Funktion, etwa `(x) => 2 * x`, und hat `{given}` bekommen.',
  m_no_entry:
    '`{name}({row}, {column})` liegt außerhalb: Die Matrix ist {shape}, und gezählt wird ab 0.',
  m_no_row: 'Es gibt keine Zeile `{row}`: Die Matrix ist {shape}, und gezählt wird ab 0.',
  m_slice_rows: 'Die Zeilen `{from}` bis `{to}` liegen nicht in der Matrix; sie ist {shape}.',
  m_slice_columns: 'Die Spalten `{from}` bis `{to}` liegen nicht in der Matrix; sie ist {shape}.',
  m_above: '`concatRows` braucht gleich viele Spalten: {one} und {other}.',
  m_beside: '`concatCols` braucht gleich viele Zeilen: {one} und {other}.',
  m_empty: '`{name}` braucht mindestens einen Eintrag, und die Matrix ist {shape}.',
  m_sizes: 'Eine Matrix hat ganze Zahlen von Zeilen und Spalten, nicht `{rows}` und `{columns}`.',
  m_numbers: 'Eine {rows}×{columns}-Matrix hat {n} Zahlen, und sie hat {given} bekommen.',
  m_uneven: 'Alle Zeilen sind gleich lang: Zeile 0 hat {n} Zahlen, Zeile {row} hat {given}.',
  m_memory:
    'Eine {rows}×{columns}-Matrix braucht {needs} MiB, und ein Lauf hat {most} MiB. Sieh dir die Größen der Matrizen an, die du machst.',
  // Was eine Funktion in JavaScript zurückgab.
  result_itself: 'Deine Funktion hat etwas zurückgegeben, das sich selbst enthält.',
  result_kind:
    'Deine Funktion hat etwas vom Typ {kind} zurückgegeben, was sich nicht vergleichen lässt.',
  result_promise: 'Deine Funktion hat ein Promise zurückgegeben. Lass `async` und `await` weg.',
  // JavaScript und die Sandbox.
  js_endless:
    'Eine Funktion ruft sich ohne Ende selbst auf, oder zu oft für einen Aufruf. Was soll sie aufhören lassen?',
  js_declared:
    '`{name}` wird hier ein zweites Mal deklariert. Nimm einen anderen Namen, oder lass `const` oder `let` weg, um ihm einen neuen Wert zu geben.',
  js_cannot_assign:
    'Dem, was links von `=` steht, lässt sich nichts zuweisen. Zum Vergleichen schreib `===`.',
  js_const_value: '`const` braucht sofort einen Wert. Um ihn später zu geben, schreib `let`.',
  js_syntax: 'JavaScript versteht diese Zeile nicht, oder das Ende der Zeile davor.',
  misspelled_js: 'JavaScript kennt kein Wort `{word}`. Meinst du `{meant}`?',
  js_head: 'Was auf `{word}` folgt, steht in runden Klammern.',
  sign_unknown_js: 'Das Zeichen `{sign}` bedeutet für JavaScript nichts.',
  js_memory:
    'Ein so großes Array passt nicht in den Speicher eines Laufs. Sieh dir die Größen der Arrays an, die du machst.',
  js_export: 'Lass `export` weg: Die Funktion wird an ihrem Namen gefunden.',
  js_import: 'Lass `import` weg: `Matrix` und die vorgegebenen Funktionen sind schon da.',
  no_answer:
    'Deine Funktion hat innerhalb von {seconds} s nicht geantwortet und wurde angehalten. Gibt es eine Schleife, die nie endet?',
  much_print: 'Dein Code hat mehr als 2 000 000 Zeichen ausgegeben und wurde angehalten.',
  run_memory:
    'Dein Code hat den Speicher eines Laufs aufgebraucht. Sieh dir die Größen der Arrays an, die du machst.',
  worker_gone:
    'Der Browser hat den Lauf beendet, wahrscheinlich weil dein Code zu viel Speicher brauchte.',
  stopped_by_user: 'Du hast angehalten.',
};

export const runErrors = { run };
