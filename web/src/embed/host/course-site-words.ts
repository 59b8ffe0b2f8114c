/** What a page says about the course site around it. Nobody here knows what a site saves, only what it was handed. */
import { byLanguage } from '../../strings/language.ts';

export const words = byLanguage({
  en: {
    working: 'What you do here is handed to the course site, with the work you have done before.',
    handed: (time: string, share: string | undefined) =>
      `Handed to the course site at ${time}${share === undefined ? '' : `, with ${share} of what is required`}.`,
    refused:
      'The course site did not take the last report. It is handed over again with your next answer or Run; keep this page open until then.',
    left: (names: string) =>
      `The course site has no room for your code of: ${names}. That code is kept in this browser only.`,
    review:
      'The course site shows a finished attempt or a preview: nothing that you do here is handed over.',
    unreadable: 'What the course site kept is damaged. You begin anew here.',
    later:
      'A newer version of this page has handed over work that this version cannot read. Nothing that you do here is handed over, so that it stays.',
  },
  de: {
    working:
      'Was du hier tust, wird der Kursseite übergeben, zusammen mit dem, was du schon getan hast.',
    handed: (time: string, share: string | undefined) =>
      `Der Kursseite übergeben um ${time}${share === undefined ? '' : `, mit ${share} des Verlangten`}.`,
    refused:
      'Die Kursseite hat den letzten Stand nicht angenommen. Er wird mit deiner nächsten Antwort oder deinem nächsten Lauf noch einmal übergeben; lass diese Seite bis dahin offen.',
    left: (names: string) =>
      `Die Kursseite hat keinen Platz für deinen Code von: ${names}. Dieser Code liegt nur in diesem Browser.`,
    review:
      'Die Kursseite zeigt einen abgeschlossenen Versuch oder eine Vorschau: Was du hier tust, wird nicht übergeben.',
    unreadable: 'Was die Kursseite aufgehoben hat, ist beschädigt. Du beginnst hier neu.',
    later:
      'Eine neuere Fassung dieser Seite hat Arbeit übergeben, die diese Fassung nicht lesen kann. Damit sie bleibt, wird nichts übergeben, was du hier tust.',
  },
});
