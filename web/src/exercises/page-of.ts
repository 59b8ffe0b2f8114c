/**
 * Which page of the folder of exercises shows one. In the site of another language, an exercise that the language lacks is
 * shown by the English page, in everything, which lies beside the page of that language (`plugins/one-language.ts`).
 */
import type { ListedExercise } from './exercise-list.ts';

type Spoken = Pick<ListedExercise, 'lang' | 'lacks'>;

/** The language of the site, where this page is an English one in the site of another. */
const site = document.documentElement.dataset.site;

const isEnglishHere = ({ lang, lacks }: Spoken): boolean =>
  lang === 'en' || lacks?.some((id) => id === site) === true;

/** `undefined` is the list of all. */
export const pageOf = (one: Spoken | undefined): string =>
  one && isEnglishHere(one) ? 'english.html' : 'index.html';

/** Whether this page shows it. */
export const isOfThisPage = (one: Spoken | undefined): boolean =>
  (site !== undefined) === (one !== undefined && isEnglishHere(one));
