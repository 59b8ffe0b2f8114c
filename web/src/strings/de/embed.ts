/** Die Wörter der Seite für Lehrende. */
import type { EmbedStrings } from '../embed.ts';

export const words: EmbedStrings = {
  settings: 'Was deine Studierenden sehen',
  what: 'Lab oder Übung',
  labs: 'Labs',
  exercises: (group) => `Übungen: ${group}`,
  language: 'Sprache',
  begin: 'Es beginnt',
  top: 'oben',
  size: 'Größe',
  height: 'Höhe in Pixeln',
  heightNote: 'Wird freigehalten, bis die Seite gesagt hat, wie hoch sie ist.',
  width: 'Breite in Pixeln',
  widthNote: 'Leer: so breit wie deine Seite.',
  steps: 'Schritte',
  stepsNote: 'Ein Schritt ohne Haken fehlt.',
  withExercises: (count) => `${count} ${count === 1 ? 'Übung' : 'Übungen'}`,
  counts: (count) => `Was für eine Note zählt (${count})`,
  countsNote:
    'Die Punktzahl ist der Anteil davon, den jemand erledigt hat. Das SCORM-Paket, die Zeilen „HTML: mit Bewertung“ und Kursseiten, die SPLICE sprechen, wie die von PreTeXt, nehmen sie entgegen. Auf jeder anderen Seite zählt nichts.',
  countKinds: { steps: 'Fragen', exercises: 'Übung' },
  parts: 'Von jeder Übung',
  partNames: { hints: 'Hinweise', solution: 'Die Lösung' },
  knobs: 'Regler',
  knobsNote:
    'Ein verborgener Regler ist nicht da; ein gesperrter ist zu sehen und bewegt sich nicht. Beide behalten den Wert, den du ihnen im Rahmen gibst.',
  knob: 'Regler',
  hidden: 'verborgen',
  locked: 'gesperrt',
  hide: (knob) => `${knob} verbergen`,
  lock: (knob) => `${knob} sperren`,
  waiting: 'Die Regler stehen hier, sobald das Lab da ist.',
  all: 'Die Regler aller Abbildungen zeigen',
  loading: 'Die Abbildungen werden geladen …',
  preview: 'So sehen es deine Studierenden',
  lines: 'Die Zeilen für deine Seite',
  goal: 'Wohin es kommt',
  local:
    'Die Zeilen nennen diesen Rechner, also zeigen sie das Lab auf keinem anderen. Öffne diese Seite dort, wo deine Website veröffentlicht ist, oder sag ihre Adresse:',
  siteAddress: 'Adresse deiner Website',
  wrongAddress:
    'Das ist keine Adresse. Gesucht ist eine, die mit https:// oder http:// beginnt; bis dahin nennen die Zeilen diesen Rechner.',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  select: 'Der Browser hat es verweigert. Der Text ist markiert: Kopiere ihn von dort.',
  kept: 'Dieser Browser behält einen Text oder Matrizen, die für einen Link zu lang sind; anderswo zeigen die Zeilen das Lab ohne sie.',
  noFrame:
    'Die Richtlinie dieser Website erlaubt ihr keinen eigenen Rahmen (frame-src), also ist hier nichts zu sehen. Die Zeilen stimmen.',
  unknown: (id) => `Hier gibt es weder ein Lab noch eine Übung „${id}“.`,
  snippets: {
    link: ['Link', 'Für Moodle, Canvas und alles, was eine Adresse nimmt.'],
    iframe: [
      'HTML: ein Rahmen',
      'Geht überall, wo eine Seite einen Rahmen haben darf, ganz ohne Skript. Die Höhe ist fest; Canvas und Seiten mit H5Ps Resizer richten sich nach dem Lab.',
    ],
    element: [
      'HTML: das Element',
      'So hoch wie das Lab, geladen, wenn man in die Nähe kommt, zwei zugleich. Das Skript wird einmal je Seite gebraucht.',
    ],
    graded: [
      'HTML: mit Bewertung',
      'Das Element und ein Skript, dem es nach jeder Antwort und jedem Lauf Punkte und Arbeit gibt. Es hebt sie im Browser der Lesenden auf; soll eine Bewertung bei dir ankommen, lass es sie an einen Server von dir schicken.',
    ],
    myst: [
      'MyST und Jupyter Book',
      'Die Direktive von mystmd 1.8; um sie zu ändern, wird das Buch neu gebaut.',
    ],
    quarto: ['Quarto', 'Ein roher Block für die Ausgabe als HTML.'],
    sphinx: ['Sphinx', 'Ein roher Block; im MyST-Parser schreibt man ihn mit {raw} html.'],
    pretext: ['PreTeXt', 'Ein interactive mit einem Rahmen.'],
  },
  scorm: [
    'SCORM-Paket',
    'Eine Datei für Moodle, Brightspace, ILIAS und andere Lernplattformen: Sie bringt Punkte in deren Bewertungen und hebt die Arbeit der Studierenden dort auf. Sie entsteht hier, aus dem, was hier eingestellt ist.',
  ],
  remote: [
    'Ein paar Kilobyte',
    'Sie zeigen das Lab dieser Website, mit allem, was hier später besser wird.',
  ],
  whole: ['Das ganze Lab', 'Einige Megabyte, die keine andere Website brauchen.'],
  notReachable:
    'Diese Website hat keine https-Adresse, also könnte eine Lernplattform sie nicht zeigen: Das Paket enthält das ganze Lab.',
  version: 'Version',
  versions: {
    '1.2': 'SCORM 1.2 (Moodle und die meisten anderen)',
    '2004': 'SCORM 2004, 4. Ausgabe',
  },
  pack: 'Paket packen',
  packing: 'Das Paket wird gepackt …',
  packed: (files, megabytes) =>
    `${files} ${files === 1 ? 'Datei' : 'Dateien'} gelesen, ${megabytes.toFixed(1).replace('.', ',')} MB …`,
  stop: 'Anhalten',
  stopped: 'Angehalten.',
  downloaded: (kilobytes) => `Heruntergeladen: ${Math.round(kilobytes)} KB.`,
  notPacked: (reason) => `Es wurde kein Paket gepackt: ${reason}`,
};
