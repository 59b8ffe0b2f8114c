/** Was der Client des Rechenkerns sagt, auf Deutsch. Was fehlt, übersetzt tsc nicht. */
import type { clientPhrases, Translated } from '#client/phrases';

export const clientErrors: Translated<typeof clientPhrases> = {
  no_webassembly: 'dieser Browser hat kein WebAssembly',
  no_exceptions:
    'dieser Browser ist zu alt: er hat keine WebAssembly-Exceptions (Chrome 95, Firefox 100, Safari 15.2 und neuere haben sie)',
  no_simd:
    'dieser Browser ist zu alt: er hat kein WebAssembly-SIMD (Chrome 91, Firefox 89, Safari 16.4 und neuere haben es)',
  worker_refused: 'der Worker des Rechenkerns wurde abgelehnt: {reason}',
  not_started: 'der Rechenkern ließ sich nicht starten: {reason}',
  stopped:
    'der Rechenkern ist stehen geblieben ({reason}) und wurde neu gestartet; bitte versuch es noch einmal',
  silent: 'er hat nicht geantwortet',
  asked: 'so gewünscht',
  no_file: 'seine Datei ließ sich nicht laden oder wurde blockiert',
  unreadable: 'eine Antwort ließ sich nicht lesen',
  unknown_call: 'es gibt keinen Aufruf {name}',
  trials: 'eine Liste mit höchstens {most} Einträgen',
  milliseconds: 'eine Zahl von 0,1 bis 1000',
  value_seen: '{value}',
  values_kept: '{n} Werte mit {bytes} Bytes',
  release_some: 'höchstens {n} mit {bytes} Bytes: Gib zuerst einige frei',
  trial: 'Messungen aus Zahlen und Wörtern',
  too_deep: 'ein Objekt mit zu vielen anderen ineinander',
  few_within: 'eines mit wenigen',
  type_seen: '{type}',
  throws: 'etwas, das beim Lesen einen Fehler auslöst',
  cannot_be_sent: '{type}, was an keinen Worker gesendet werden kann',
  array_handed_over: 'ein Array, das schon übergeben wurde',
  plain_values: 'Zahlen, Wörter, Listen, Objekte und typisierte Arrays, die nicht übergeben wurden',
  options: 'ein Objekt mit Optionen',
  key: 'ein String',
  signal: 'ein AbortSignal',
  on_progress: 'eine Funktion',
  true_or_false: 'true oder false',
  kept_gone: 'ein aufbewahrter Wert, den es nicht mehr gibt',
  make_again: 'einer, der neu gerechnet wird',
  superseded: 'eine neuere Anfrage hat diese abgelöst',
  cancelled: 'die Anfrage wurde abgebrochen',
};
