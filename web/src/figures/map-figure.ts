/** A figure about one feature map of the registry, chosen by a knob, with the map's parameters. */
import { html } from 'lit';
import { state } from 'lit/decorators.js';
import type { Client, CoreError, FeatureMapInfo } from '#client';
import { featureMapsOf } from '../core.ts';
import { LabFigure } from '../lab/figure.ts';
import type { PropertyTable, StateOf, TextProperty } from '../state/url.ts';
import { inLanguage } from '../strings/registry.ts';
import { parameterKnobs } from './map-knobs.ts';

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

  /** What each map is called, by its id. */
  protected get mapLabels(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.maps.map(({ id, label }) => [id, label]));
  }

  protected async readMaps(core: Client): Promise<void> {
    if (this.maps.length > 0) return;
    this.maps = inLanguage(await featureMapsOf(core));
  }

  /** Arguments of the core whose knobs have another name. */
  protected abstract readonly argumentKnobs: Readonly<Record<string, string>>;

  protected override knobOf(error: CoreError): string {
    if (this.map?.parameters.some(({ name }) => name === error.argument)) return 'parameters';
    return this.argumentKnobs[error.argument] ?? super.knobOf(error);
  }

  protected mapKnob(label: string): unknown {
    return this.choice('map', { label, options: this.mapLabels, list: true });
  }

  protected parametersKnob(): unknown {
    const { map } = this;
    return html`${this.knob('parameters', (disabled) =>
      parameterKnobs({
        ...{ map, disabled, printed: this.values.parameters as string },
        change: (parameters, draft) => this.set({ parameters } as Partial<StateOf<T>>, { draft }),
      }),
    )}
    ${this.error('parameters')}`;
  }

  protected mapKnobs(label: string): unknown {
    return html`${this.mapKnob(label)} ${this.parametersKnob()}`;
  }
}
