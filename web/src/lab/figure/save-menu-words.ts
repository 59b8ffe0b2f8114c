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
  },
  de: {
    tools: (heading) => `Sichern und teilen: ${heading}`,
    png: 'Das Bild als PNG sichern',
    svg: 'Das Bild als SVG sichern',
    csv: 'Die Zahlen als CSV sichern',
    json: 'Die Zahlen als JSON sichern',
    link: 'Einen Link auf diese Ansicht kopieren',
    linkShort: 'Link',
  },
};

export const saveMenuWords = both[language];
