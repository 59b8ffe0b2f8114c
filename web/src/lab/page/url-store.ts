/**
 * One link for all figures of a page. Each figure owns the keys of its table, behind `id.` (`curve.n`);
 * the opening's keys have no prefix. Values of figures that are not loaded yet are kept.
 */
import type { UrlHistory } from '../../state/history.ts';
import {
  ID_LENGTH,
  idOf,
  isId,
  keyMarked,
  markedKey,
  roomForSearch,
} from '../../state/long-values.ts';
import { say } from '../../state/phrases.ts';
import {
  defineState,
  type Property,
  type PropertyTable,
  type StateDefinition,
  type StateOf,
  wellFormed,
} from '../../state/url.ts';
import { inWords } from '../../strings/problem.ts';
import type { KnobValues } from '../types';

/** A figure's knobs as the link has them. */
export interface Knobs<S> {
  readonly values: S;
  readonly defaults: S;
  /** What in the link could not be used, as sentences. */
  readonly problems: readonly string[];
  hidden(name: keyof S & string): boolean;
  locked(name: keyof S & string): boolean;
  /** Whether the author of the link keeps the knob as it is: it is hidden or locked. */
  fixed(name: keyof S & string): boolean;
  /** The knobs that these values would change and that are fixed, by their keys in the link. */
  refused(patch: Partial<S>): readonly string[];
  /** The same values, but for the knobs that are fixed. */
  kept(values: S): S;
  /** The key of a knob in the link. */
  key(name: keyof S & string): string;
  /** A value out of range becomes the nearest value in range. */
  fitted(values: S): S;
  /** Fixed knobs stay as they are, whoever sets them. Returns what was refused, as `refused` does. */
  set(patch: Partial<S>, options?: { readonly draft?: boolean }): readonly string[];
  /** The query string of this page with these values. */
  search(values: S): string;
  dispose(): void;
}

interface Figure {
  reread(): void;
}

type Pair = readonly [string, string];

const printer = defineState({});

/** Text that is still being typed is kept after this time; what is committed is kept at once. */
const KEEP_AFTER_MS = 250;
/** Texts in memory, for Back. Older ones are read from the storage again. */
const MOST_TEXTS = 50;

export class UrlStore {
  private pairs: readonly Pair[] = [];
  private limits: Readonly<Record<'hide' | 'lock', readonly string[]>> = { hide: [], lock: [] };
  private search: string;
  private readonly figures = new Set<Figure>();
  private readonly stop: () => void;
  /** The keys that hold text: their values may be too long for the address. */
  private readonly textKeys = new Set<string>();
  /** The long texts that addresses of this page name, by their ids. */
  private readonly texts = new Map<string, string>();
  /** The ids of texts that this browser does not have. */
  private readonly lost = new Set<string>();
  /** By id, why a text could not be kept. */
  private readonly unkept = new Map<string, string>();
  private readonly toKeep = new Set<string>();
  private keeping: ReturnType<typeof setTimeout> | undefined;
  /** What the knobs begin with on a page whose address says nothing. */
  private start: readonly Pair[] = [];
  /** Resolves when the long texts that the address names are there, or are known to be lost. */
  ready: Promise<void> = Promise.resolve();

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
    clearTimeout(this.keeping);
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
    const unknown: string[] = [];
    for (const [key, value] of new URLSearchParams(this.search)) {
      const marked = keyMarked(key);
      if (marked !== undefined && isId(value)) {
        const text = this.texts.get(value);
        pairs.push(text === undefined ? [key, value] : [marked, text]);
        if (text === undefined && !this.lost.has(value)) unknown.push(value);
      } else if (key === 'hide' || key === 'lock') {
        lists[key].push(...value.split(',').map((name) => name.trim()));
      } else pairs.push([key, value]);
    }
    this.pairs = this.search.length <= 1 ? this.start : pairs;
    if (unknown.length > 0) this.ready = this.find(unknown);
    this.limits = {
      hide: lists.hide.filter((name) => name !== ''),
      lock: lists.lock.filter((name) => name !== ''),
    };
  }

  /** Reads long texts from the storage; the figures then read the address again. */
  private async find(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const text = await import('../../state/kept-values.ts').then(
        ({ keptTexts }) => keptTexts.find(id),
        () => undefined,
      );
      if (typeof text === 'string' && idOf(text) === id) this.texts.set(id, text);
      else this.lost.add(id);
    }
    this.read();
    for (const figure of this.figures) figure.reread();
  }

  private async keep(): Promise<void> {
    clearTimeout(this.keeping);
    const ids = [...this.toKeep];
    this.toKeep.clear();
    for (const id of ids) {
      const { keptTexts } = await import('../../state/kept-values.ts');
      const refused = await keptTexts.keep(id, this.texts.get(id));
      if (refused === (this.unkept.get(id) ?? '')) continue;
      if (refused) this.unkept.set(id, refused);
      else this.unkept.delete(id);
      for (const figure of this.figures) figure.reread();
    }
  }

  /** What is wrong with the long texts of these keys, as sentences. */
  private textProblems(keys: ReadonlySet<string>): string[] {
    const problems: string[] = [];
    for (const [key, value] of this.pairs) {
      const marked = keyMarked(key);
      if (marked !== undefined && keys.has(marked) && this.lost.has(value)) {
        problems.push(inWords(say('text_lost', { name: marked })));
      } else if (keys.has(key) && value.length > ID_LENGTH && this.unkept.size > 0) {
        const reason = this.unkept.get(idOf(value));
        if (reason) problems.push(inWords(say('text_not_kept', { name: key, reason })));
      }
    }
    return problems;
  }

  /** The query string; it names the longest texts by their ids when it would be too long with them. */
  private print(pairs: readonly Pair[]): string {
    const lengths = new Map(
      pairs.map((pair) => [
        pair,
        this.textKeys.has(pair[0]) ? encodeURIComponent(wellFormed(pair[1])).length : 0,
      ]),
    );
    let short = pairs;
    for (;;) {
      const search = this.printAll(short);
      if (search.length <= roomForSearch()) return search;
      const longest = short.reduce<Pair | undefined>(
        (most, pair) =>
          (lengths.get(pair) ?? 0) > (most ? (lengths.get(most) ?? 0) : ID_LENGTH) ? pair : most,
        undefined,
      );
      if (!longest) return search;
      const id = idOf(longest[1]);
      this.texts.delete(id);
      this.texts.set(id, longest[1]);
      this.toKeep.add(id);
      for (const old of this.texts.keys()) {
        if (this.texts.size <= MOST_TEXTS) break;
        this.texts.delete(old);
      }
      short = short.map((pair) => (pair === longest ? [markedKey(longest[0]), id] : pair));
    }
  }

  private printAll(pairs: readonly Pair[]): string {
    const { hide, lock } = this.limits;
    const others = pairs.filter(([key]) => key !== 'v');
    if (hide.length > 0) others.push(['hide', hide.join(',')]);
    if (lock.length > 0) others.push(['lock', lock.join(',')]);
    return printer.print({}, { others });
  }

  /**
   * The knobs of a figure. `values`: where they differ from the table's defaults, which then need
   * not be in the link. `start`: what the figure begins with where the address says nothing at all; every link says it,
   * so that it means the same on a page that begins with something else.
   */
  knobs<T extends PropertyTable>(
    id: string,
    table: T,
    {
      values = {},
      start = {},
      onChange,
    }: {
      readonly values?: KnobValues;
      readonly start?: Partial<StateOf<T>>;
      readonly onChange: () => void;
    },
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
    const begin = { ...definition.defaults, ...start };
    const said = [...new URLSearchParams(definition.print(begin))].filter(([key]) => keys.has(key));
    if (said.length > 0) {
      this.start = [...this.start, ...said];
      if (this.search.length <= 1) this.read();
    }
    for (const { kind, key } of Object.values(own)) if (kind === 'text') this.textKeys.add(key);
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

    /** @param changed the names of knobs that were set: for these the address no longer names a lost text. */
    const pairsWith = (state: S, changed: readonly string[] = []): readonly Pair[] => {
      const set = new Set(changed.map((name) => markedKey(own[name]?.key ?? '')));
      const mine = [...new URLSearchParams(definition.print(state))].filter(([key]) =>
        keys.has(key),
      );
      const rest = this.pairs.filter(([key]) => !keys.has(key) && !set.has(key));
      if (id === '') return [...mine, ...rest];
      const at = this.pairs.findIndex(([key]) => keys.has(key));
      const before = at < 0 ? rest : rest.filter((pair) => this.pairs.indexOf(pair) < at);
      return [...before, ...mine, ...rest.slice(before.length)];
    };

    const fixed = (name: string): boolean => {
      const key = own[name]?.key ?? '';
      return parsed.hide.has(key) || parsed.lock.has(key);
    };
    const refused = (patch: Partial<S>): readonly string[] =>
      Object.keys(patch).filter((name) => fixed(name) && patch[name] !== parsed.state[name]);
    const keysOf = (names: readonly string[]): readonly string[] =>
      names.map((name) => own[name]?.key ?? name);
    const kept = (values: S): S =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          fixed(name) ? parsed.state[name] : value,
        ]),
      ) as unknown as S;

    const store = this;
    return {
      get values() {
        return parsed.state;
      },
      defaults: begin,
      get problems() {
        const problems = parsed.problems.map(({ message }) => message);
        return [...problems, ...store.textProblems(keys)];
      },
      hidden: (name) => parsed.hide.has(own[name]?.key ?? ''),
      locked: (name) => parsed.lock.has(own[name]?.key ?? ''),
      fixed,
      refused: (patch) => keysOf(refused(patch)),
      kept,
      key: (name) => own[name]?.key ?? '',
      fitted: (values) => definition.clamp(values),
      set: (patch, { draft = false } = {}) => {
        const before = parsed.state;
        const held = refused(patch);
        parsed = { ...parsed, state: definition.clamp(kept({ ...before, ...patch })) };
        const changed = Object.keys(patch).filter(
          (name) => patch[name] !== before[name] && !held.includes(name),
        );
        if (changed.length === 0 && held.length > 0) return keysOf(held);
        this.pairs = pairsWith(parsed.state, changed);
        // An unfinished text that was not kept yet need not be kept any more.
        this.toKeep.clear();
        this.search = this.print(this.pairs);
        if (draft) this.history.draft(this.search);
        else this.history.commit(this.search);
        clearTimeout(this.keeping);
        if (this.toKeep.size === 0) return keysOf(held);
        if (draft) this.keeping = setTimeout(() => void this.keep(), KEEP_AFTER_MS);
        else void this.keep();
        return keysOf(held);
      },
      search: (state) => {
        const search = this.print(pairsWith(definition.clamp(state)));
        void this.keep();
        return search;
      },
      dispose: () => {
        this.figures.delete(figure);
      },
    };
  }
}
