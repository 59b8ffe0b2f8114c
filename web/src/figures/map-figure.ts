/** A figure about one feature map of the registry, chosen by a knob, with the map's parameters. */
import { html } from 'lit';
import { state } from 'lit/decorators.js';
import type { Client, CoreError, FeatureMapInfo } from '#client';
import { featureMapsOf } from '../core.ts';
import { LabFigure } from '../lab/figure/figure.ts';
import { choice, type Knob, ownKnob } from '../lab/figure/knob.ts';
import type { PropertyTable, TextProperty } from '../state/url.ts';
import { firstInLanguage, inLanguage } from '../strings/registry.ts';
import { parameterKnobs } from './map-knobs.ts';
import { choices, parameterText } from './map-parameters.ts';

type MapTable = PropertyTable & { readonly map: TextProperty; readonly parameters: TextProperty };

export abstract class MapFigure<Result, T extends MapTable> extends LabFigure<Result, T> {
  @state() private maps: readonly FeatureMapInfo[] = [];

  protected get map(): FeatureMapInfo | undefined {
    return this.mapOf(this.values.map as string);
  }

  protected get hasMaps(): boolean {
    return this.maps.length > 0;
  }

  /** Undefined before `readMaps`, and for an id that the core does not know. */
  protected mapOf(id: string): FeatureMapInfo | undefined {
    return this.maps.find((one) => one.id === id);
  }

  /** The names of the maps to choose from, by their id. */
  protected mapChoices(chosen = this.values.map as string): Readonly<Record<string, string>> {
    return choices(this.maps, chosen);
  }

  protected async readMaps(core: Client): Promise<void> {
    this.maps = await inLanguage(await featureMapsOf(core));
  }

  /** Reads the maps with the words of the first picture; `readMaps` brings the others. */
  protected async readFirstMaps(core: Client): Promise<void> {
    const maps = await featureMapsOf(core);
    if (!this.hasMaps) this.maps = firstInLanguage(maps);
  }

  /** Arguments of the core whose knobs have another name. */
  protected abstract readonly argumentKnobs: Readonly<Record<string, string>>;

  protected override knobOf(error: CoreError): string {
    if (this.map?.parameters.some(({ name }) => name === error.argument)) return 'parameters';
    return this.argumentKnobs[error.argument] ?? super.knobOf(error);
  }

  protected mapKnob(label: string): Knob<'map'> {
    return choice('map', { label, options: this.mapChoices(), list: true });
  }

  /** All parameters of the map are one knob, because a link holds them in one text. */
  protected parametersKnob(): Knob<'parameters'> {
    const { map } = this;
    const parameters = map?.parameters ?? [];
    return ownKnob(
      'parameters',
      {
        label: parameters.map(({ label }) => label).join(', '),
        say: (printed) => (map && parameterText(String(printed), map)) || '–',
        draw: ({ value, disabled, problem, set }) =>
          html`${parameterKnobs({ map, disabled, printed: String(value), change: set })} ${problem}`,
      },
      { when: parameters.length > 0 },
    );
  }

  protected mapKnobs(label: string): readonly Knob<'map' | 'parameters'>[] {
    return [this.mapKnob(label), this.parametersKnob()];
  }
}
