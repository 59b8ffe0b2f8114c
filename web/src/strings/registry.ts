/** What the core's registry says in words, in the page's language: the core itself speaks English. */
import type { FeatureMapInfo } from '#client';
import { translation } from './translation.ts';

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

/** Read anew each time: what the first view does without comes later (de/interface-later.ts). */
function translated(map: FeatureMapInfo): FeatureMapInfo {
  const words = (): Partial<FeatureMapWords> => translation?.featureMaps?.[map.id] ?? {};
  const { label, kernel, note } = map;
  return {
    ...map,
    get label() {
      return words().label ?? label;
    },
    get kernel() {
      return words().kernel ?? kernel;
    },
    get note() {
      return words().note ?? note;
    },
    get paper() {
      return { ...map.paper, where: words().where ?? map.paper.where };
    },
    get parameters() {
      return map.parameters.map((one) => ({ ...one, ...words().parameters?.[one.name] }));
    },
  };
}

/** `inLanguage(await client.featureMaps())`. */
export const inLanguage = (maps: readonly FeatureMapInfo[]): readonly FeatureMapInfo[] =>
  translation?.featureMaps ? maps.map(translated) : maps;
