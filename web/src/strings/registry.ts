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

function translated(map: FeatureMapInfo): FeatureMapInfo {
  const words = translation?.featureMaps?.[map.id];
  if (!words) return map;
  const { label, kernel, note, where, parameters } = words;
  return {
    ...{ ...map, label, kernel, note, paper: { ...map.paper, where } },
    parameters: map.parameters.map((one) => ({ ...one, ...parameters[one.name] })),
  };
}

/** `inLanguage(await client.featureMaps())`. */
export const inLanguage = (maps: readonly FeatureMapInfo[]): readonly FeatureMapInfo[] =>
  translation?.featureMaps ? maps.map(translated) : maps;
