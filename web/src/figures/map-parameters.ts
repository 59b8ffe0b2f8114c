/** A feature map's parameters as text of a link. */
import type { FeatureMapInfo } from '#client';

/** `m:64,temperature:2` */
export function readParameters(printed: string): Record<string, number> {
  const parameters: Record<string, number> = {};
  for (const pair of printed.split(',')) {
    const [name, value] = pair.split(':');
    if (name && value !== undefined && value !== '' && Number.isFinite(Number(value))) {
      parameters[name] = Number(value);
    }
  }
  return parameters;
}

export const printParameters = (parameters: Readonly<Record<string, number>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}:${value}`)
    .join(',');

/** All that the map has, as given or at their defaults. */
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

/** For captions: what is not at its default. */
export const parameterText = (printed: string, map: FeatureMapInfo): string => {
  const all = parametersOf(printed, map);
  return map.parameters
    .filter(({ name, defaultValue }) => all[name] !== defaultValue)
    .map(({ name, label }) => `${label} = ${all[name]}`)
    .join(', ');
};
