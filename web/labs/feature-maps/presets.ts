/** What the buttons under "What to try" set. */
import type { FeatureMapInfo } from '#client';
import type { LabState } from './state.ts';

export type PresetId = 'sign' | 'dead' | 'sharp' | 'causal' | 'random';

export interface Preset {
  readonly id: PresetId;
  readonly patch: Partial<LabState>;
}

/** Only those whose feature map the core has. */
export function presets(maps: readonly FeatureMapInfo[]): Preset[] {
  const fresh: Partial<LabState> = {
    parameters: '',
    scale: true,
    causal: false,
    sqrt: false,
    dK: 16,
    query: 0,
    key: 0,
  };
  const random = maps.find((map) => map.random && map.positivity === 'positive');
  const features = random?.parameters.find((parameter) => parameter.integer);
  const all: (Preset & { readonly map: string })[] = [
    {
      id: 'sign',
      map: 'identity',
      patch: { ...fresh, input: 'gaussian', n: 24, map: 'identity', dK: 8 },
    },
    { id: 'dead', map: 'relu', patch: { ...fresh, input: 'gaussian', n: 24, map: 'relu', dK: 2 } },
    {
      id: 'sharp',
      map: 'elu_plus_one',
      patch: { ...fresh, input: 'gaussian', n: 48, map: 'elu_plus_one', dK: 32, scale: false },
    },
    {
      id: 'causal',
      map: 'elu_plus_one',
      patch: { ...fresh, input: 'gaussian', n: 48, map: 'elu_plus_one', causal: true, sqrt: true },
    },
    {
      id: 'random',
      map: random?.id ?? '',
      patch: {
        ...fresh,
        input: 'gaussian',
        n: 48,
        map: random?.id ?? '',
        dK: 8,
        parameters: features ? `${features.name}:${features.max}` : '',
      },
    },
  ];
  return all.filter((preset) => maps.some((map) => map.id === preset.map));
}
