/**
 * One link for all figures of a page. Each figure owns the keys of its table, behind `id.` (`curve.n`);
 * the opening's keys have no prefix. Values of figures that are not loaded yet are kept.
 */
import type { UrlHistory } from '../state/history.ts';
import {
  defineState,
  type Property,
  type PropertyTable,
  type StateDefinition,
  type StateOf,
} from '../state/url.ts';
import type { KnobValues } from './types';

/** A figure's knobs as the link has them. */
export interface Knobs<S> {
  readonly values: S;
  readonly defaults: S;
  /** What in the link could not be used, as sentences. */
  readonly problems: readonly string[];
  hidden(name: keyof S & string): boolean;
  locked(name: keyof S & string): boolean;
  /** The key of a knob in the link. */
  key(name: keyof S & string): string;
  /** A value out of range becomes the nearest value in range. */
  set(patch: Partial<S>, options?: { readonly draft?: boolean }): void;
  /** The query string of this page with these values. */
  search(values: S): string;
  dispose(): void;
}

interface Figure {
  reread(): void;
}

type Pair = readonly [string, string];

const printer = defineState({});

export class UrlStore {
  private pairs: readonly Pair[] = [];
  private limits: Readonly<Record<'hide' | 'lock', readonly string[]>> = { hide: [], lock: [] };
  private search: string;
  private readonly figures = new Set<Figure>();
  private readonly stop: () => void;

  constructor(
    private readonly history: UrlHistory,
    search: string,
    /** What `hide=` may name besides knobs: the steps. */
    private readonly parts: readonly string[] = [],
  ) {
    this.search = search;
    this.read();
    this.stop = history.onChange((changed) => {
      // Following an anchor also changes the address.
      if (changed === this.search) return;
      this.search = changed;
      this.read();
      for (const figure of this.figures) figure.reread();
    });
  }

  dispose(): void {
    this.stop();
    this.history.dispose();
    this.figures.clear();
  }

  /** Whether the link hides a part of the page: a step, by its id. */
  hides(part: string): boolean {
    return this.limits.hide.includes(part);
  }

  private read(): void {
    const lists: Record<'hide' | 'lock', string[]> = { hide: [], lock: [] };
    const pairs: Pair[] = [];
    for (const [key, value] of new URLSearchParams(this.search)) {
      if (key === 'hide' || key === 'lock') {
        lists[key].push(...value.split(',').map((name) => name.trim()));
      } else pairs.push([key, value]);
    }
    this.pairs = pairs;
    this.limits = {
      hide: lists.hide.filter((name) => name !== ''),
      lock: lists.lock.filter((name) => name !== ''),
    };
  }

  private print(pairs: readonly Pair[]): string {
    const { hide, lock } = this.limits;
    const others = pairs.filter(([key]) => key !== 'v');
    if (hide.length > 0) others.push(['hide', hide.join(',')]);
    if (lock.length > 0) others.push(['lock', lock.join(',')]);
    return printer.print({}, { others });
  }

  /**
   * The knobs of a figure. `values`: where they differ from the table's defaults, which then need
   * not be in the link.
   */
  knobs<T extends PropertyTable>(
    id: string,
    table: T,
    { values = {}, onChange }: { readonly values?: KnobValues; readonly onChange: () => void },
  ): Knobs<StateOf<T>> {
    type S = StateOf<T>;
    const prefix = id === '' ? '' : `${id}.`;
    const own = Object.fromEntries(
      Object.entries(table).map(([name, property]) => [
        name,
        {
          ...property,
          key: `${prefix}${property.key}`,
          default: values[name] ?? property.default,
        } as Property,
      ]),
    ) as unknown as T;
    const definition: StateDefinition<S> = defineState(own, {
      parts: id === '' ? this.parts : [],
    });
    const keys = new Set(Object.values(own).map(({ key }) => key));
    // A name with a dot is a knob of another figure, there or not.
    const isMine = (name: string): boolean =>
      id === '' ? keys.has(name) || !name.includes('.') : name.startsWith(prefix);
    const parse = () => {
      const limits = (['hide', 'lock'] as const)
        .map((kind) => [kind, this.limits[kind].filter(isMine).join(',')] as const)
        .filter(([, list]) => list !== '');
      const pairs = this.pairs.filter(([key]) => keys.has(key) || (key === 'v' && id === ''));
      return definition.parse(`${new URLSearchParams([...pairs, ...limits].map((p) => [...p]))}`);
    };
    let parsed = parse();
    const figure: Figure = {
      reread: () => {
        parsed = parse();
        onChange();
      },
    };
    this.figures.add(figure);

    const pairsWith = (state: S): readonly Pair[] => {
      const mine = [...new URLSearchParams(definition.print(state))].filter(([key]) =>
        keys.has(key),
      );
      const rest = this.pairs.filter(([key]) => !keys.has(key));
      if (id === '') return [...mine, ...rest];
      const at = this.pairs.findIndex(([key]) => keys.has(key));
      const before = at < 0 ? rest : rest.filter((pair) => this.pairs.indexOf(pair) < at);
      return [...before, ...mine, ...rest.slice(before.length)];
    };

    return {
      get values() {
        return parsed.state;
      },
      defaults: definition.defaults,
      get problems() {
        return parsed.problems.map(({ message }) => message);
      },
      hidden: (name) => parsed.hide.has(own[name]?.key ?? ''),
      locked: (name) => parsed.lock.has(own[name]?.key ?? ''),
      key: (name) => own[name]?.key ?? '',
      set: (patch, { draft = false } = {}) => {
        parsed = { ...parsed, state: definition.clamp({ ...parsed.state, ...patch }) };
        this.pairs = pairsWith(parsed.state);
        this.search = this.print(this.pairs);
        if (draft) this.history.draft(this.search);
        else this.history.commit(this.search);
      },
      search: (state) => this.print(pairsWith(definition.clamp(state))),
      dispose: () => {
        this.figures.delete(figure);
      },
    };
  }
}
