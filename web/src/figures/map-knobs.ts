/** A knob for each parameter of a feature map. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FeatureMapInfo, FeatureMapParameter } from '#client';
import '../components/slider/slider.ts';
import { rich } from '../components/rich-text/rich-text.ts';
import { parametersOf, withParameter } from './map-parameters.ts';

/** Where nothing can be raised, a power stands in brackets. */
const inBrackets = (text: string): string => text.replace(/\^\{([^}]*)\}/g, '^($1)');

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
          <span>${label}<small>${rich(description)}</small></span>
        </label>`
        : html`<attn-slider
          title=${inBrackets(description)}
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
