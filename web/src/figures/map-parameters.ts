/** A feature map's parameters as text of a link, and which maps are worth choosing. */
import type { FeatureMapInfo } from '#client';

/**
 * Maps that give the very weights of another one: T2R's matrix is the identity here, so it is ReLU, and the compact
 * Taylor map has the kernel of the whole one. A list to choose pictures from has the other one only.
 */
const TWIN = /^(?:t2r|taylor_compact)$/;
export const isTwin = (map: string): boolean => TWIN.test(map);

/** The names of the maps that differ, by their id; one that a link has chosen stays in the list. */
export const choices = (
  maps: readonly FeatureMapInfo[],
  chosen: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    maps.flatMap(({ id, label }) => (isTwin(id) && id !== chosen ? [] : [[id, label]])),
  );

/** `m:64,temperature:2` */
export const readParameters = (printed: string): Record<string, number> =>
  Object.fromEntries(
    printed
      .split(',')
      .map((pair) => pair.split(':'))
      .filter(([name, value]) => name && value && Number.isFinite(Number(value)))
      .map(([name = '', value]) => [name, Number(value)]),
  );

export const printParameters = (parameters: Readonly<Record<string, number>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}:${value}`)
    .join(',');

/** All parameters of the map, as given or at their defaults. */
export function parametersOf(printed: string, map: FeatureMapInfo): Record<string, number> {
  const given = readParameters(printed);
  return Object.fromEntries(
    map.parameters.map(({ name, defaultValue, min, max }) => [
      name,
      Math.max(min, Math.min(max, given[name] ?? defaultValue)),
    ]),
  );
}

/** The text with one of them changed; what is at its default is left out. */
export function withParameter(
  printed: string,
  map: FeatureMapInfo,
  name: string,
  value: number,
): string {
  const all = { ...parametersOf(printed, map), [name]: value };
  return printParameters(
    Object.fromEntries(
      map.parameters.flatMap(({ name: key, defaultValue }) =>
        all[key] === defaultValue ? [] : [[key, all[key] ?? defaultValue] as const],
      ),
    ),
  );
}

/** The parameters that are not at their defaults, for captions. */
export const parameterText = (printed: string, map: FeatureMapInfo): string => {
  const all = parametersOf(printed, map);
  return map.parameters
    .filter(({ name, defaultValue }) => all[name] !== defaultValue)
    .map(({ name, label }) => `${label} = ${all[name]}`)
    .join(', ');
};
