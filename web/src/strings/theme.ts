/** The words of the theme switch in the head of every page. */
import { byLanguage } from './language.ts';

export const themeWords = byLanguage({
  en: { label: 'Colours', auto: 'Auto', light: 'Light', dark: 'Dark' },
  de: { label: 'Farben', auto: 'Auto', light: 'Hell', dark: 'Dunkel' },
});
