/** What the menu says that saves a figure. */
import { type LanguageId, language } from '../../strings/language.ts';

interface SaveMenuWords {
  readonly tools: (heading: string) => string;
  readonly png: string;
  readonly svg: string;
  readonly csv: string;
  readonly json: string;
  readonly link: string;
  readonly linkShort: string;
  readonly embed: string;
  readonly embedShort: string;
}

const both: Readonly<Record<LanguageId, SaveMenuWords>> = {
  en: {
    tools: (heading) => `Save and share: ${heading}`,
    png: 'Save the picture as PNG',
    svg: 'Save the picture as SVG',
    csv: 'Save the numbers as CSV',
    json: 'Save the numbers as JSON',
    link: 'Copy a link to this view',
    linkShort: 'Link',
    embed: 'Embed this view in a course page',
    embedShort: 'Embed',
  },
  de: {
    tools: (heading) => `Sichern und teilen: ${heading}`,
    png: 'Das Bild als PNG sichern',
    svg: 'Das Bild als SVG sichern',
    csv: 'Die Zahlen als CSV sichern',
    json: 'Die Zahlen als JSON sichern',
    link: 'Einen Link auf diese Ansicht kopieren',
    linkShort: 'Link',
    embed: 'Diese Ansicht in eine Kursseite einbetten',
    embedShort: 'Einbetten',
  },
};

export const saveMenuWords = both[language];
