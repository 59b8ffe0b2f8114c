/**
 * The state of a page as one typed table of properties, and that table as a query string.
 *
 * People read links and instructors type them, so links are short (`?v=1&map=relu&n=64`): defaults are left out, and
 * names are words. A value that does not fit never throws: it is reported in words and replaced by its default.
 */

import type { Wording } from '#client/phrases';
import { inWords } from '../strings/problem.ts';
import { say } from './phrases.ts';

interface Common<T> {
  readonly default: T;
  /** The name of the property in the URL. */
  readonly key: string;
  /** The name of the property in messages; `key` when it is left out. */
  readonly label?: string;
}

export interface IntegerProperty extends Common<number> {
  readonly kind: 'integer';
  readonly min: number;
  readonly max: number;
}

export interface NumberProperty extends Common<number> {
  readonly kind: 'number';
  readonly min?: number;
  readonly max?: number;
}

export interface EnumProperty<T extends string = string> extends Common<T> {
  readonly kind: 'enum';
  readonly values: readonly T[];
}

export interface BooleanProperty extends Common<boolean> {
  readonly kind: 'boolean';
}

export interface TextProperty extends Common<string> {
  readonly kind: 'text';
  /** The largest length, in UTF-16 units. */
  readonly maxLength: number;
}

export type Property =
  | IntegerProperty
  | NumberProperty
  | EnumProperty
  | BooleanProperty
  | TextProperty;

export type PropertyTable = Readonly<Record<string, Property>>;

type ValueOf<P extends Property> =
  P extends EnumProperty<infer T>
    ? T
    : P extends BooleanProperty
      ? boolean
      : P extends TextProperty
        ? string
        : number;

/** The state a table describes: one value for each property. */
export type StateOf<T extends PropertyTable> = { readonly [K in keyof T]: ValueOf<T[K]> };

/** One thing in a link that could not be used. */
export interface StateProblem {
  /** The name of the property in the URL. */
  readonly key: string;
  readonly seen: Wording;
  readonly wanted: Wording;
  /** The whole sentence about the problem, ready to be shown. */
  readonly message: string;
}

/** What an instructor fixed in a link, as names of properties in the URL or of parts of the page. */
export interface LinkLimits {
  readonly hide: ReadonlySet<string>;
  readonly lock: ReadonlySet<string>;
}

export interface ParsedState<S> extends LinkLimits {
  readonly state: S;
  readonly problems: readonly StateProblem[];
  /** The pairs that this table does not know, in order. They belong to another tool or to a later version. */
  readonly others: readonly (readonly [string, string])[];
}

export interface PrintOptions extends Partial<LinkLimits> {
  readonly others?: readonly (readonly [string, string])[];
}

export interface StateDefinition<S> {
  readonly defaults: S;
  /** Reads `location.search`; the leading `?` may be missing. Never throws. */
  parse(search: string): ParsedState<S>;
  /** Returns `''` when every property has its default, and otherwise `?v=1&…`. */
  print(state: S, options?: PrintOptions): string;
  /** Returns the nearest state that the table allows, for values that come from a slider or a saved file. */
  clamp(state: S): S;
}

export const integer = (p: Omit<IntegerProperty, 'kind'>): IntegerProperty => ({
  kind: 'integer',
  ...p,
});
/**
 * The seed of random entries. All figures accept the same seeds, so that a seed can be copied from one to another.
 */
export const seed = (p: Partial<Pick<IntegerProperty, 'default' | 'key'>> = {}): IntegerProperty =>
  integer({ key: 'seed', min: 0, max: 2 ** 31 - 1, default: 1, ...p });
export const number = (p: Omit<NumberProperty, 'kind'>): NumberProperty => ({
  kind: 'number',
  ...p,
});
export const oneOf = <const T extends string>(
  p: Omit<EnumProperty<T>, 'kind' | 'default'> & { readonly default: NoInfer<T> },
): EnumProperty<T> => ({ kind: 'enum', ...p });
export const boolean = (p: Omit<BooleanProperty, 'kind'>): BooleanProperty => ({
  kind: 'boolean',
  ...p,
});
/**
 * A property that is text. The default limit holds because every browser and mail client carries a link of 4000
 * characters.
 */
export const text = (
  p: Omit<TextProperty, 'kind' | 'maxLength'> & { readonly maxLength?: number },
): TextProperty => ({ kind: 'text', maxLength: 4000, ...p });

const VERSION = 1;
const RESERVED = new Set(['v', 'hide', 'lock']);
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const INTEGER = /^[+-]?\d+$/;

type Value = string | number | boolean;

/**
 * Describes a page's state. `parts` are names that `hide=` and `lock=` may also use, for pieces of
 * the page that hold no value (`export`, `table`).
 */
export function defineState<const T extends PropertyTable>(
  table: T,
  { parts = [] }: { readonly parts?: readonly string[] } = {},
): StateDefinition<StateOf<T>> {
  type S = StateOf<T>;
  const entries = Object.entries(table);
  const byKey = new Map<string, readonly [string, Property]>();
  for (const [name, property] of entries) {
    if (RESERVED.has(property.key) || byKey.has(property.key)) {
      throw new Error(`the URL name '${property.key}' of '${name}' is taken`);
    }
    const kept = read(property, write(property, property.default));
    if (!kept.ok) {
      throw new Error(`the default of '${name}' is not a value of it: wanted ${kept.wanted.text}`);
    }
    byKey.set(property.key, [name, property]);
  }
  const limitNames = new Set([...byKey.keys(), ...parts]);
  const defaults = Object.fromEntries(
    entries.map(([name, property]) => [name, property.default]),
  ) as unknown as S;

  function parse(search: string): ParsedState<S> {
    const state: Record<string, Value> = { ...(defaults as Record<string, Value>) };
    const problems: StateProblem[] = [];
    const others: [string, string][] = [];
    const limits = { hide: new Set<string>(), lock: new Set<string>() };
    const seenKeys = new Set<string>();
    const report = (key: string, label: string, seen: Wording, wanted: Wording): void => {
      problems.push({
        key,
        seen,
        wanted,
        message: inWords(say('link', { name: label, seen, wanted })),
      });
    };

    for (const [key, raw] of new URLSearchParams(search)) {
      const known = byKey.get(key);
      if (!known && !RESERVED.has(key)) {
        others.push([key, raw]);
        continue;
      }
      if (seenKeys.has(key)) {
        report(key, key, say('second_time', { value: clipped(raw) }), say('each_name_once'));
        continue;
      }
      seenKeys.add(key);
      if (known) {
        const [name, property] = known;
        const result = read(property, raw);
        if (result.ok) state[name] = result.value;
        else report(key, property.label ?? key, seen(raw), result.wanted);
      } else if (key === 'v') {
        if (!INTEGER.test(raw) || Number(raw) < 1 || Number(raw) > VERSION) {
          report(key, 'version', seen(raw), say('only_version', { version: VERSION }));
        }
      } else {
        const set = limits[key as 'hide' | 'lock'];
        for (const name of raw.split(',').map((item) => item.trim())) {
          if (limitNames.has(name)) set.add(name);
          else if (name !== '') {
            report(key, key, seen(name), say('names_from', { names: [...limitNames] }));
          }
        }
      }
    }
    return { state: state as S, problems, others, ...limits };
  }

  function print(state: S, { hide, lock, others = [] }: PrintOptions = {}): string {
    const pairs: [string, string][] = [];
    for (const [name, property] of entries) {
      const value = state[name] as Value;
      if (value !== property.default) pairs.push([property.key, write(property, value)]);
    }
    if (hide?.size) pairs.push(['hide', [...hide].join(',')]);
    if (lock?.size) pairs.push(['lock', [...lock].join(',')]);
    for (const [key, value] of others) pairs.push([key, value]);
    if (pairs.length === 0) return '';
    return `?${[['v', String(VERSION)] as const, ...pairs]
      .map(([key, value]) => `${encode(key)}=${encode(value)}`)
      .join('&')}`;
  }

  function clamp(state: S): S {
    return Object.fromEntries(
      entries.map(([name, property]) => [name, nearest(property, state[name] as Value)]),
    ) as unknown as S;
  }

  return { defaults, parse, print, clamp };
}

type Read = { readonly ok: true; readonly value: Value } | { readonly ok: false; wanted: Wording };

function read(property: Property, raw: string): Read {
  switch (property.kind) {
    case 'integer': {
      const value = Number(raw);
      const fits = INTEGER.test(raw) && value >= property.min && value <= property.max;
      // Adding 0 turns −0, which neither the picture nor the link can show, into 0.
      return fits
        ? { ok: true, value: value + 0 }
        : { ok: false, wanted: say('whole_number', { least: property.min, most: property.max }) };
    }
    case 'number': {
      const { min = -Infinity, max = Infinity } = property;
      const value = Number(raw);
      const fits = DECIMAL.test(raw) && Number.isFinite(value) && value >= min && value <= max;
      return fits ? { ok: true, value: value + 0 } : { ok: false, wanted: range(min, max) };
    }
    case 'enum':
      return property.values.includes(raw)
        ? { ok: true, value: raw }
        : { ok: false, wanted: say('one_of', { names: property.values }) };
    case 'boolean':
      if (raw === '1' || raw === 'true') return { ok: true, value: true };
      if (raw === '0' || raw === 'false') return { ok: true, value: false };
      return { ok: false, wanted: say('on_or_off') };
    case 'text': {
      const { maxLength } = property;
      return raw.length <= maxLength
        ? { ok: true, value: raw }
        : { ok: false, wanted: say('characters', { most: maxLength, n: raw.length }) };
    }
  }
}

function write(property: Property, value: Value): string {
  return property.kind === 'boolean' ? (value ? '1' : '0') : String(value);
}

function nearest(property: Property, value: Value): Value {
  switch (property.kind) {
    case 'integer':
    case 'number': {
      const { min = -Infinity, max = Infinity } = property;
      if (typeof value !== 'number' || Number.isNaN(value)) return property.default;
      const inside = Math.min(max, Math.max(min, value));
      if (property.kind === 'integer') return Math.round(inside) + 0;
      return Number.isFinite(inside) ? inside + 0 : property.default;
    }
    case 'enum':
      return property.values.includes(String(value)) ? value : property.default;
    case 'boolean':
      return typeof value === 'boolean' ? value : property.default;
    case 'text':
      if (typeof value !== 'string') return property.default;
      // An address cannot hold half of an emoji, which a cut between its two units would leave.
      return value.slice(0, property.maxLength).replace(/[\uD800-\uDBFF]$/, '');
  }
}

function range(min: number, max: number): Wording {
  if (min > -Infinity && max < Infinity) {
    return say('number_from_to', { least: min, most: max });
  }
  if (min > -Infinity) return say('number_at_least', { least: min });
  if (max < Infinity) return say('number_at_most', { most: max });
  return say('number');
}

const clipped = (raw: string): string => (raw.length > 40 ? `${raw.slice(0, 40)}…` : raw);
const seen = (raw: string): Wording => say('value', { value: clipped(raw) });

/** Encodes a value so that people can read it: a space becomes `+`, and `, : / @ ' ( ) ! * ~` are not escaped. */
function encode(raw: string): string {
  return encodeURIComponent(wellFormed(raw))
    .replace(/%20/g, '+')
    .replace(/%(2C|3A|2F|40)/g, (code) => decodeURIComponent(code));
}

/**
 * Replaces half a surrogate pair, which has no UTF-8 form and would make encoding throw, as in a pasted half emoji.
 */
export function wellFormed(raw: string): string {
  return raw.replace(
    /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g,
    '\uFFFD',
  );
}
