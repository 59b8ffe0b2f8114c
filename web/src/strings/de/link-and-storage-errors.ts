/** Was Links und der Speicher sagen, auf Deutsch. Was fehlt, übersetzt tsc nicht. */
import type { Translated } from '#client/phrases';
import type { statePhrases } from '../../state/phrases.ts';

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
