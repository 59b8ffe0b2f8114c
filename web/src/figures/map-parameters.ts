/** A feature map's parameters as text of a link, and as knobs. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FeatureMapInfo, FeatureMapParameter } from '#client';
import '../components/slider/slider.ts';

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

export function parameterKnobs({
  map,
  printed,
  disabled,
  change,
}: {
  readonly map: FeatureMapInfo | undefined;
  readonly printed: string;
  readonly disabled: boolean;
  readonly change: (printed: string, draft: boolean) => void;
}): unknown {
  if (!map) return nothing;
  const values = parametersOf(printed, map);
  const set = (name: string, value: number, draft: boolean): void =>
    change(withParameter(printed, map, name, value), draft);
  return map.parameters.map(
    ({ name, label, min, max, integer, description }: FeatureMapParameter) =>
      integer && min === 0 && max === 1
        ? html`<label class="switch">
          <input
            type="checkbox"
            role="switch"
            .checked=${live(values[name] === 1)}
            ?disabled=${disabled}
            @change=${(event: Event) =>
              set(name, (event.target as HTMLInputElement).checked ? 1 : 0, false)}
          />
          <span>${label}<small>${description}</small></span>
        </label>`
        : html`<attn-slider
          title=${description}
          .label=${label}
          .min=${min}
          .max=${max}
          .step=${integer ? 1 : Number(((max - min) / 200).toPrecision(1))}
          ?log=${integer && min > 0 && max / min > 50}
          .value=${values[name] ?? min}
          ?disabled=${disabled}
          @attn-input=${(event: CustomEvent<number>) => set(name, event.detail, true)}
          @attn-change=${(event: CustomEvent<number>) => set(name, event.detail, false)}
        ></attn-slider>`,
  );
}
