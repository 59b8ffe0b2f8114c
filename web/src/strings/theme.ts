/** The words of the switch in every page's head, in all languages: they are fewer than a file costs. */
import { byLanguage } from './language.ts';

export const themeWords = byLanguage({
  en: { label: 'Colours', auto: 'Auto', light: 'Light', dark: 'Dark' },
  de: { label: 'Farben', auto: 'Auto', light: 'Hell', dark: 'Dunkel' },
});
