/**
 * The knobs of a figure as data: `slider('n', { … })`, `choice('map', { … })`. A figure lists them once; the panel, the
 * sheet, views, the line of a try and the place of an error all follow from the list.
 */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import '../../components/seed/seed.ts';
import '../../components/slider/slider.ts';
import { formatExact } from '../../plot/format.ts';
import type { Property } from '../../state/url.ts';
import { strings } from '../../strings/index.ts';
import { formulaName } from '../text/plain-text.ts';
import { prose } from '../text/prose.ts';
import { figureWords as words } from './figure-words.ts';

/** What a knob is drawn with: its value now, and where a new one goes. */
export interface KnobState {
  readonly value: string | number | boolean;
  readonly property: Property | undefined;
  /** An id that nothing else on the page has. */
  readonly id: string;
  /** The link locks the knob. */
  readonly disabled: boolean;
  /** What is wrong with the value; empty for nothing. */
  readonly error: string;
  /** The same as a paragraph, for knobs that do not show their errors themselves. */
  readonly problem: unknown;
  /** `draft` says that the gesture goes on. */
  readonly set: (value: string | number | boolean, draft?: boolean) => void;
}

export interface Knob<Name extends string = string> {
  readonly name: Name;
  /** How the knob is called in one line. */
  readonly label: unknown;
  /** How a value is said in one line. */
  readonly say: (value: unknown) => unknown;
  /** The knob is offered only while this holds; always where it is left out. */
  readonly when?: boolean;
  /** The figure draws the knob within its picture, by `placed()`, and not in the panel. */
  readonly placed?: boolean;
  /** How a slider is moved; other knobs have none. */
  readonly range?: Partial<SliderOptions>;
  readonly draw: (state: KnobState) => unknown;
}

/** When a knob is offered, and where. */
export type KnobPlace = Pick<Knob, 'when' | 'placed'>;

export interface SliderOptions {
  readonly label: string;
  /** As in `<attn-slider>`: `d_k`. */
  readonly symbol?: string;
  readonly log?: boolean;
  readonly step?: number;
  /** An end that follows from other knobs; the others are stated in the table, for links too. */
  readonly max?: number;
  /** A line below the slider. */
  readonly note?: string;
}

const nameOf = ({ symbol, label }: SliderOptions): unknown => {
  const [letter, below] = symbol?.split('_') ?? [];
  return letter
    ? html`<span class="symbol">${letter}${below ? html`<sub>${below}</sub>` : nothing}</span>`
    : label;
};

/** The range of a knob that holds a number, and how it is moved. */
export function rangeOf(property: Property | undefined, options: Partial<SliderOptions> = {}) {
  const whole = property?.kind === 'integer';
  const limits = whole || property?.kind === 'number' ? property : undefined;
  const min = limits?.min ?? 0;
  const max = options.max ?? limits?.max ?? 1;
  const step = options.step ?? (whole ? 1 : Number(((max - min) / 200).toPrecision(1)));
  return { min, max, step, log: options.log ?? false };
}

export function slider<Name extends string>(
  name: Name,
  options: SliderOptions,
  place: KnobPlace = {},
): Knob<Name> {
  return {
    ...{ ...place, name, range: options, label: nameOf(options) },
    say: (value) => formatExact(Number(value)),
    draw: ({ value, property, error, disabled, set }) => {
      const { min, max, step, log } = rangeOf(property, options);
      return html`<attn-slider
          .symbol=${options.symbol ?? ''}
          .label=${options.label}
          .min=${min}
          .max=${max}
          .step=${step}
          ?log=${log}
          .value=${value as number}
          .error=${error}
          ?disabled=${disabled}
          @attn-input=${(event: CustomEvent<number>) => set(event.detail, true)}
          @attn-change=${(event: CustomEvent<number>) => set(event.detail)}
        ></attn-slider>
        ${options.note ? html`<p class="fine">${prose(options.note)}</p>` : nothing}`;
    },
  };
}

export function toggle<Name extends string>(
  name: Name,
  { label, note }: { readonly label: string; readonly note?: string },
  place: KnobPlace = {},
): Knob<Name> {
  return {
    ...{ ...place, name, label: prose(label) },
    say: (value) => (value ? words.on : words.off),
    draw: ({ value, disabled, problem, set }) => html`<label class="switch">
        <input
          type="checkbox"
          role="switch"
          .checked=${live(value as boolean)}
          ?disabled=${disabled}
          @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}
        />
        <span>${prose(label)}${note ? html`<small>${prose(note)}</small>` : nothing}</span>
      </label>
      ${problem}`,
  };
}

/** Few options are shown side by side, many in a list. */
export function choice<Name extends string>(
  name: Name,
  {
    label,
    options,
    list = Object.keys(options).length > 4,
  }: {
    readonly label: string;
    readonly options: Readonly<Record<string, string>>;
    readonly list?: boolean;
  },
  place: KnobPlace = {},
): Knob<Name> {
  return {
    ...{ ...place, name, label: prose(label) },
    say: (value) => prose(options[String(value)] ?? String(value)),
    draw: ({ value, id, disabled, error, problem, set }) =>
      list
        ? html`<div class="choice">
              <label for=${id}>${prose(label)}</label>
              <select
                id=${id}
                ?disabled=${disabled}
                aria-invalid=${error ? 'true' : 'false'}
                @change=${(event: Event) => set((event.target as HTMLSelectElement).value)}
              >
                ${Object.entries(options).map(
                  ([option, text]) =>
                    html`<option value=${option} .selected=${live(option === value)}>${text}</option>`,
                )}
              </select>
            </div>
            ${problem}`
        : html`<fieldset class="choice">
              <legend>${prose(label)}</legend>
              <div class="segments">
                ${Object.entries(options).map(
                  ([option, text]) => html`<label
                    ><input
                      type="radio"
                      name=${id}
                      value=${option}
                      aria-label=${formulaName(text) ?? nothing}
                      .checked=${live(option === value)}
                      ?disabled=${disabled}
                      @change=${() => set(option)}
                    /><span>${prose(text)}</span></label
                  >`,
                )}
              </div>
            </fieldset>
            ${problem}`,
  };
}

/** A line of text, or `rows` lines. Its greatest length is stated in the table. */
export function line<Name extends string>(
  name: Name,
  { label, rows = 1 }: { readonly label: string; readonly rows?: number },
  place: KnobPlace = {},
): Knob<Name> {
  return {
    ...{ ...place, name, label, say: String },
    draw: ({ value, property, id, disabled, error, problem, set }) => {
      const most = property?.kind === 'text' ? property.maxLength : undefined;
      const invalid = error ? 'true' : 'false';
      const changed = (event: Event): void =>
        set((event.target as HTMLInputElement | HTMLTextAreaElement).value);
      return html`<div class="choice">
          <label for=${id}>${label}</label>
          ${
            rows === 1
              ? html`<input
                  id=${id}
                  type="text"
                  maxlength=${most ?? nothing}
                  .value=${live(value as string)}
                  ?disabled=${disabled}
                  aria-invalid=${invalid}
                  @change=${changed}
                />`
              : html`<textarea
                  id=${id}
                  rows=${rows}
                  maxlength=${most ?? nothing}
                  .value=${live(value as string)}
                  ?disabled=${disabled}
                  aria-invalid=${invalid}
                  @change=${changed}
                ></textarea>`
          }
        </div>
        ${problem}`;
    },
  };
}

export function seedKnob<Name extends string = 'seed'>(
  name: Name = 'seed' as Name,
  place: KnobPlace = {},
): Knob<Name> {
  return {
    ...{ ...place, name, label: strings.lab.seed, say: String },
    draw: ({ value, property, id, error, disabled, set }) => html`<attn-seed
      field=${id}
      .value=${value as number}
      .max=${property?.kind === 'integer' ? property.max : 2 ** 31 - 1}
      .error=${error}
      ?disabled=${disabled}
      @attn-change=${({ detail }: CustomEvent<number>) => set(detail)}
    ></attn-seed>`,
  };
}

/** A knob of the figure's own: a plane to click on, a list of points. */
export function ownKnob<Name extends string>(
  name: Name,
  {
    label,
    say = String,
    draw,
  }: {
    readonly label: unknown;
    readonly say?: (value: unknown) => unknown;
    readonly draw: (state: KnobState) => unknown;
  },
  place: KnobPlace = {},
): Knob<Name> {
  return { ...place, name, label, say, draw };
}
