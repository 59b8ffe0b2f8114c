/** What the core's registry says in words, in the page's language: the core itself speaks English. */
import type { FeatureMapInfo } from '#client';
import { featureMaps as firstInGerman } from './de/first-feature-maps.ts';
import { byLanguage } from './language.ts';

export interface FeatureMapWords {
  readonly label: string;
  readonly kernel: string;
  readonly note: string;
  /** Section, equation or what else to look for in the paper. */
  readonly where: string;
  readonly parameters: Readonly<Record<string, ParameterWords>>;
}

export interface ParameterWords {
  readonly label: string;
  readonly description: string;
}

export type Translations = Readonly<Record<string, FeatureMapWords>>;

/** By the registry's id; undefined in English, which the registry itself speaks. At first, what the first picture says. */
let translations = byLanguage<Translations | undefined>({ en: undefined, de: firstInGerman });
const fetchAll = byLanguage<(() => Promise<{ readonly featureMaps: Translations }>) | undefined>({
  en: undefined,
  de: () => import('./de/feature-maps.ts'),
});

/** The `lang` of what the page says about a map: English words where the page's language has none for it. */
export const langOfMap = (
  id: string,
  words: Translations | undefined = translations,
): 'en' | undefined => (words && !words[id] ? 'en' : undefined);

function translated(map: FeatureMapInfo): FeatureMapInfo {
  const words = translations?.[map.id];
  if (!words) return map;
  const { label, kernel, note, where, parameters } = words;
  return {
    ...map,
    ...{ label, kernel, note },
    paper: { ...map.paper, where },
    parameters: map.parameters.map((one) => ({ ...one, ...parameters[one.name] })),
  };
}

/** What is here without waiting: what each map is called, and the words of the map that a page shows first. */
export const firstInLanguage = (maps: readonly FeatureMapInfo[]): readonly FeatureMapInfo[] =>
  maps.map(translated);

/** `await inLanguage(await featureMapsOf(client))`. Words that do not arrive are left out. */
export async function inLanguage(
  maps: readonly FeatureMapInfo[],
): Promise<readonly FeatureMapInfo[]> {
  const fetched = await fetchAll?.().catch(() => undefined);
  translations = fetched?.featureMaps ?? translations;
  return maps.map(translated);
}
