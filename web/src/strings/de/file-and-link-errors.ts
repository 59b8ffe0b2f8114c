/** Was Dateien, Links und der Speicher sagen, auf Deutsch. Was fehlt, übersetzt tsc nicht. */
import type { Translated } from '#client/phrases';
import type { exercisePhrases } from '../../exercises/phrases.ts';
import type { importPhrases } from '../../import/phrases.ts';
import type { statePhrases } from '../../state/phrases.ts';

const array = 'eine .npy-Datei mit einem zweidimensionalen Array (Token × d) aus reellen Zahlen';

export const importErrors: Translated<typeof importPhrases> = {
  at_line: 'Zeile {line}: {what}',
  at_line_and_column: 'Zeile {line}, Spalte {column}: {what}',
  // Was erwartet wird.
  table: 'Zeilen aus Zahlen, alle gleich lang',
  file: 'eine .npy-Datei von NumPy oder eine Tabelle aus Zahlen (.csv, .tsv, .txt)',
  array,
  array_of_floats: `${array}; am besten float32: a.astype('float32')`,
  array_of_two: `${array}: 2 Dimensionen`,
  saved_or_csv: 'ein Array, das mit np.save gespeichert wurde, oder eine CSV-Datei',
  saved: 'ein Array, das mit np.save gespeichert wurde',
  unpacked: 'dieselbe Datei, entpackt',
  written_csv: 'eine CSV-Datei: writematrix(A, "a.csv")',
  number_each_cell: 'eine Zahl in jeder Zelle',
  one_decimal_mark: 'überall dasselbe Dezimalzeichen',
  float32_range: 'Zahlen bis 3.4e38',
  numbers_or_names: 'Zahlen in jeder Zelle oder ein Name am Anfang jeder Zeile',
  finite: 'endliche Zahlen',
  finite_only: 'nur endliche Zahlen',
  at_most_entries: 'höchstens {most} Einträge',
  at_most_mib: 'höchstens {most} MiB',
  at_most_mib_of_text: 'höchstens {most} MiB; eine .npy-Datei fasst dieselben Zahlen in weniger',
  versions: 'Version 1, 2 oder 3',
  header_of_at_most: 'ein Kopf mit höchstens {most} Bytes',
  header_with: "ein Kopf mit 'descr', 'fortran_order' und 'shape'",
  bytes_of_data: '{n} {n:Byte|Bytes} an Daten',
  // Was gefunden wurde: Dateien.
  empty_file: 'eine leere Datei',
  file_of: 'eine Datei von {n} MiB',
  text_file_of: 'eine Datei von {n} MiB',
  cannot_open: "'{name}', was der Browser nicht öffnen kann",
  zip: 'ein Zip-Archiv (.npz, .xlsx oder .pt)',
  gzip: 'eine gzip-Datei',
  hdf5: 'eine HDF5-Datei',
  pdf: 'eine PDF-Datei',
  png: 'ein PNG-Bild',
  jpeg: 'ein JPEG-Bild',
  pickle: 'ein Pickle von Python',
  matlab: 'eine MATLAB-Datei',
  json_object: 'ein JSON-Objekt',
  list_in_brackets: 'eine Liste in Klammern (JSON oder ein ausgegebenes Array)',
  no_magic: 'eine .npy-Datei, die nicht mit der Kennung von NumPy beginnt',
  unknown_binary: 'eine Binärdatei unbekannter Art',
  not_text: 'Bytes, die kein {encoding}-Text sind',
  // Tabellen.
  after_quote: 'Text nach einem schließenden Anführungszeichen',
  open_quote: 'ein Anführungszeichen, das nie geschlossen wird',
  long_entry: 'ein Eintrag mit mehr als {most} Zeichen',
  more_entries: 'mehr als {most} Einträge',
  more_entries_at: 'mehr als {most} Einträge, erreicht in Zeile {line}',
  name_alone: 'ein Name und keine Zahlen',
  words_alone: 'Wörter in Zeile {line} und keine Zahlen',
  other_width: '{n} {n:Eintrag|Einträge}, in den Zeilen davor aber {before}',
  other_width_than_names: '{n} {n:Eintrag|Einträge}, aber Zeile {line} nennt {names} Spalten',
  name_then_number: "'{name}' am Anfang der ersten Zeile, aber eine Zahl in Zeile {line}, Spalte 1",
  empty_cell: 'eine leere Zelle',
  cell: '{cell}',
  not_a_number: "'{cell}', was keine Zahl ist",
  decimal_comma_before: "'{cell}', aber frühere Zahlen haben ein Dezimalkomma",
  decimal_point_before: "'{cell}', aber frühere Zahlen haben einen Dezimalpunkt",
  beyond_float32: '{cell}, zu groß für float32',
  // Arrays.
  structured: 'ein strukturiertes Array der Form {shape}',
  array_seen: '{array} der Form {shape}',
  array_dimensions: '{array} der Form {shape}: {n} {n:Dimension|Dimensionen}',
  array_empty: '{array} der Form {shape}: keine Einträge',
  array_entries: '{array} der Form {shape}: {n} {n:Eintrag|Einträge}',
  array_cut_off: '{array} der Form {shape}, abgeschnitten: {n} {n:Byte|Bytes} an Daten',
  array_holds:
    '{array} der Form {shape} mit {value} in Zeile {row}, Spalte {column} (von 0 gezählt)',
  an_array_of: 'ein Array aus {type}',
  a_array_of: 'ein Array aus {type}',
  npy_cut_off: 'eine .npy-Datei von {n} Bytes, im Kopf abgeschnitten',
  npy_version: 'eine .npy-Datei der Version {version}',
  npy_long_header: 'ein .npy-Kopf von {n} Bytes',
  npy_odd_header: "ein .npy-Kopf, in dem '{text}' steht",
  // Experimente als JSON.
  experiment: 'ein Experiment, das diese Seite gespeichert hat',
  characters: '{n} Zeichen',
  not_json: 'Text, der kein JSON ist oder abgeschnitten wurde',
  other_json: 'JSON einer anderen Art',
  version: 'Version {version}',
  known_version: 'Version {version}, die einzige, die diese Seite kennt',
  no_lab: "kein Text unter 'lab' oder 'link'",
  odd_settings: "'settings', die keine Namen mit Werten sind",
  odd_results: "'results', die keine Namen mit Zahlen sind",
  odd_matrices: "'matrices' ohne q, k und v",
  matrix_parts: 'rows, cols und rows·cols endliche Zahlen',
  no_matrix: "keine Matrix '{name}'",
  matrix_size: "eine Matrix '{name}', deren Größe nicht zu ihren Einträgen passt",
  matrix_entry: "Eintrag {entry} der Matrix '{name}': {value}",
  // Was daraus gemacht wurde.
  column_names: 'Zeile {line} wurde als Namen der Spalten gelesen.',
  row_names: 'Die erste Spalte wurde als Namen der Zeilen gelesen.',
  decimal_commas: 'Kommas in Zahlen wurden als Dezimalzeichen gelesen.',
  rounded: 'Die Einträge vom Typ {type} wurden auf float32 gerundet.',
  converted: 'Die Einträge vom Typ {type} wurden in float32 umgewandelt.',
  as_zero_and_one: 'Die Einträge vom Typ {type} wurden als 0 und 1 gelesen.',
  bytes_left_out: '{n:Das|Die} {n} {n:Byte|Bytes} nach dem Array {n:wurde|wurden} weggelassen.',
};

export const stateErrors: Translated<typeof statePhrases> = {
  value: "'{value}'",
  second_time: "'{value}' ein zweites Mal",
  each_name_once: 'jeder Name nur einmal; der erste zählt',
  only_version: '{version}, die einzige, die diese Seite kennt',
  names_from: 'Namen aus: {names}',
  whole_number: 'eine ganze Zahl von {least} bis {most}',
  number_from_to: 'eine Zahl von {least} bis {most}',
  number_at_least: 'eine Zahl von mindestens {least}',
  number_at_most: 'eine Zahl von höchstens {most}',
  number: 'eine Zahl',
  one_of: 'eins von {names|oder}',
  on_or_off: '1 (an) oder 0 (aus)',
  characters: 'höchstens {most} Zeichen, nicht {n}',
  link: 'Der Link sagt {name} = {seen}; erwartet: {wanted}.',
  long_matrices: 'die Matrizen im Link sind {n} Zeichen lang; unsere haben höchstens {most}',
  odd_characters: 'in den Matrizen im Link stehen Zeichen, die es in base64url nicht gibt',
  odd_start:
    'die Matrizen im Link beginnen nicht wie unsere; er wurde abgeschnitten oder verändert',
  other_version: 'die Matrizen im Link haben Version {version}; diese Seite liest Version 1',
  damaged_matrices: 'die Matrizen im Link sind beschädigt; lass dir den Link noch einmal geben',
  packed_wrong:
    'die Matrizen im Link lassen sich nicht entpacken; er wurde abgeschnitten oder verändert',
  too_large: 'was im Link steht, wäre entpackt größer als {most} Bytes',
  damaged_text: 'der Text im Link ist beschädigt; lass dir den Link noch einmal geben',
  text_lost:
    'Dieser Link nennt einen langen Text ({name}), der in dem Browser liegt, in dem er getippt wurde. Dieser Browser hat ihn nicht und zeigt stattdessen das Beispiel; lass dir den Text selbst geben.',
  text_not_kept:
    'Der Text ({name}) ist zu lang für die Adresse dieser Seite. {reason} Kopiere den Text, bevor du gehst.',
  matrices_lost:
    'Dieser Link nennt Matrizen, die in dem Browser liegen, in dem sie geöffnet wurden. Dieser Browser hat sie nicht; lass dir ihre Dateien geben.',
  storage_full:
    'Der Speicher des Browsers für diese Website ist voll: Was du jetzt tust, ist weg, wenn du gehst.',
  storage_silent:
    'Der Speicher des Browsers antwortet nicht: Früheres fehlt hier vielleicht, und was du jetzt tust, ist weg, wenn du gehst.',
  storage_cannot_copy: 'Das lässt sich nicht aufbewahren: Der Browser kann es nicht kopieren.',
  storage_denied:
    'Der Browser lässt diese Seite deine Arbeit nicht aufbewahren: Sie ist weg, wenn du gehst.',
};

export const exerciseErrors: Translated<typeof exercisePhrases> = {
  progress_not_json: 'Diese Datei ist kein JSON.',
  progress_not_ours: 'Diese Datei enthält keinen Stand von Attention Labs.',
  progress_version: 'Diese Datei hat Version {version}; diese Seite liest Version 1.',
  progress_damaged: 'Eintrag {record} dieser Datei ist beschädigt.',
  submission_not_json: 'das ist kein JSON; eine Abgabe endet auf .json',
  submission_not_ours: 'das ist JSON, aber keine Abgabe von Attention Labs',
  submission_version: 'diese Abgabe hat Version {version}; hier wird Version {known} gelesen',
  submission_empty: 'in der Abgabe stehen keine Übungen',
  submission_lacks: 'Übung {place} fehlt der Name, die Sprache oder der Code',
  sandbox_policy:
    "Eine Richtlinie dieser Website (Content-Security-Policy) lässt sie deinen Code nicht ausführen: Sie muss frame-src 'self', worker-src blob: und script-src 'wasm-unsafe-eval' erlauben. Öffne die Seite in einem eigenen Tab, oder frag die, die die Kursseite betreuen.",
  sandbox_no_worker:
    'eine Richtlinie dieser Website lässt deinen Code nicht im Hintergrund der Seite laufen. Öffne die Seite in einem eigenen Tab',
  sandbox_ended: 'was deinen Code ausführt, ist zu Ende gegangen. Lass ihn noch einmal laufen',
  sandbox_disposed: 'was deinen Code ausführt, wurde geschlossen. Lade die Seite neu',
  sandbox_not_fetched: 'die Dateien, die deinen Code ausführen, ließen sich nicht laden',
  sandbox_offline:
    'die Dateien, die deinen Code ausführen, ließen sich nicht laden: Besteht eine Verbindung?',
  sandbox_not_found: '{address} ließ sich nicht laden: {status}',
  sandbox_not_started: 'was deinen Code ausführt, ist nicht gestartet. Lass ihn noch einmal laufen',
  sandbox_no_engine:
    'ein Teil dieser Website fehlt, die Arrays von NumPy. Sag es denen, die sie betreuen',
  sandbox_memory:
    'der Browser hat dafür keinen Speicher mehr. Lade die Seite neu; wenn das nicht hilft, schließ andere Tabs',
  sandbox_cpp: 'C++ wird auf deinem eigenen Rechner übersetzt und ausgeführt',
};
