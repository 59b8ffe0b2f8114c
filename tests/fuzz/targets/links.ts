/**
 * Targets for addresses: the knobs of every figure of every lab, those of the other pages, and packed data in links.
 */
import '../no-browser';
import {
  pageState,
  printKnobs,
  readKnobs,
  withOldNames,
} from '../../../web/pages/exercises/link-state';
import { speedState } from '../../../web/pages/speed/link-state';
import { UrlStore } from '../../../web/src/lab/page/url-store';
import type { UrlHistory } from '../../../web/src/state/history';
import {
  fnv1a,
  PackError,
  packMatrices,
  pump,
  toBase64Url,
  unpackMatrices,
} from '../../../web/src/state/pack-matrices';
import { packText, unpackText } from '../../../web/src/state/pack-text';
import { defineState, type StateDefinition } from '../../../web/src/state/url';
import type { Random } from '../random';
import {
  bytesOf,
  must,
  mustBeEqual,
  mustBeSaid,
  type Outcome,
  type Target,
  textOf,
} from '../target';
import { LAB_PAGES, type LabPage } from './lab-pages';

/** Changes one pair of a query. */
function queryChange(input: Uint8Array, random: Random, other: Uint8Array): Uint8Array {
  const [page = '', ...rest] = textOf(input).split('?');
  const pairs = rest.join('?').split('&');
  const others = textOf(other).split('?').slice(1).join('?').split('&');
  const at = random.below(pairs.length);
  const [key = '', value = ''] = (pairs[at] as string).split('=');
  const choices = [
    () => pairs.splice(at, 1),
    () => pairs.splice(at, 0, pairs[random.below(pairs.length)] as string),
    () => pairs.splice(at, 0, random.pick(others)),
    () => pairs.splice(at, 1, `${key}=${random.pick(others).split('=')[1] ?? ''}`),
    () => pairs.splice(at, 1, `${random.pick(others).split('=')[0]}=${value}`),
    () => pairs.splice(at, 1, `hide=${key},${random.pick(others).split('=')[0]}`),
    () => pairs.splice(at, 1, `${key}=${encodeURIComponent(value.repeat(2))}`),
  ];
  random.pick(choices)();
  return bytesOf(`${page}?${pairs.join('&')}`);
}

const history = (commit: (search: string) => void): UrlHistory => ({
  ...{ draft: commit, commit },
  onChange: () => () => undefined,
  dispose: () => undefined,
});

/** What a lab's page makes of an address: the values of all knobs, and the address that it then writes. */
function opened({ steps, figures }: LabPage, search: string) {
  let written = '';
  const store = new UrlStore(
    history((now) => {
      written = now;
    }),
    search,
    steps,
  );
  const knobs = figures.map(({ id, table, values }) =>
    store.knobs(id, table, { values, onChange: () => undefined }),
  );
  const values = knobs.map((one) => ({ ...one.values }));
  for (const { problems } of knobs) for (const one of problems) mustBeSaid(new Error(one));
  for (const one of knobs) {
    for (const name of Object.keys(one.values)) void [one.hidden(name), one.locked(name)];
    one.set({});
  }
  for (const step of steps) store.hides(step);
  mustBeEqual(
    knobs.map((one) => ({ ...one.values })),
    values,
    'a value that its own knob would not hold',
  );
  store.dispose();
  return { values, written };
}

const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

const links: Target = {
  name: 'links',
  rounds: 2500,
  seeds: LAB_PAGES.flatMap(({ id, steps, figures }) =>
    figures.map(({ id: figure, table }, at) => {
      const prefix = figure === '' ? '' : `${figure}.`;
      const pairs = Object.values(table).map((one) => `${prefix}${one.key}=${one.default}`);
      return bytesOf(`${id}?v=1&${pairs.join('&')}&hide=${steps[at] ?? ''}&utm=x`);
    }),
  ),
  words: [
    ...[
      '&',
      '=',
      '%',
      '%20',
      '+',
      '%F0%9F%98%80',
      '%ED%A0%BD',
      'hide=',
      'lock=',
      'v=1',
      'v=2',
      ',',
    ],
    ...['true', '1', '0', '-1', '1e3', '.5', 'lang=de', '__proto__=1', 'constructor=1', '.', '😀'],
    ...LAB_PAGES.flatMap(({ figures }) =>
      figures.flatMap(({ id, table }) =>
        Object.values(table).flatMap((one) => [
          `${id === '' ? '' : `${id}.`}${one.key}=`,
          ...(one.kind === 'enum' ? one.values : []),
        ]),
      ),
    ),
  ],
  change: queryChange,
  check(input): Outcome {
    const [id, ...rest] = textOf(input).split('?');
    const search = `?${rest.join('?')}`;
    const page =
      LAB_PAGES.find((one) => one.id === id) ?? LAB_PAGES[input.length % LAB_PAGES.length];
    must(page !== undefined, 'there is no lab');
    // The opening is always on the page; other figures load when the reader comes near them.
    const figures = page.figures.filter((one) => one.id === '' || search.includes(`${one.id}.`));
    const first = opened({ ...page, figures }, search);
    const second = opened({ ...page, figures }, first.written);
    mustBeEqual(second.values, first.values, 'the values of the address that was written');
    mustBeEqual(second.written, first.written, 'the address, written again');
    // The input also serves as text that a visitor types into a field.
    for (const { id: figure, table, values } of page.figures) {
      if (!Object.values(table).some(({ kind }) => kind === 'text')) continue;
      const definition: StateDefinition<Record<string, unknown>> = defineState(table);
      const typed = Object.fromEntries(
        Object.entries(table).map(([name, one]) => [
          name,
          one.kind === 'text' ? search : (values[name] ?? one.default),
        ]),
      );
      const state = definition.clamp(typed);
      if (!isWellFormed(search)) continue;
      mustBeEqual(definition.parse(definition.print(state)).state, state, `typed into ${figure}`);
    }
    return first.written === '' ? 'refused' : 'read';
  },
};

/** The pages that are not labs. */
const pages: Target = {
  name: 'pages',
  rounds: 15_000,
  seeds: [
    'speed?v=1&n=512&rounds=5&guess=512&show=rate&rec=64&recbuild=relaxed&utm=x',
    'exercises?v=1&id=attention&in=cpp&k=n:32,seed:2&hide=k',
    'exercises?lang=javascript&id=x',
  ].map(bytesOf),
  words: [
    ...['&', '=', '%', 'id=', 'in=', 'k=', 'n:', ':', ',', 'lang=python', 'guess=', 'rec=', 'v=1'],
    ...['hide=guess', 'lock=n', '__proto__:1', 'guess=512', '%00', '%ED%A0%80', '+'],
  ],
  change: queryChange,
  check(input): Outcome {
    const [page, ...rest] = textOf(input).split('?');
    const search = `?${rest.join('?')}`;
    if (page === 'speed') {
      const { state, problems, ...limits } = speedState.parse(search);
      for (const { message } of problems) mustBeSaid(new Error(message));
      const written = speedState.print(state, limits);
      const again = speedState.parse(written);
      mustBeEqual(again.state, state, 'the state, read again');
      const { state: _, problems: __, ...others } = again;
      mustBeEqual(speedState.print(again.state, others), written, 'the address, written again');
      return problems.length > 0 ? 'refused' : 'read';
    }
    const named = withOldNames(search);
    mustBeEqual(withOldNames(named), named, 'old names, replaced again');
    const { state, problems, ...limits } = pageState.parse(named);
    for (const { message } of problems) mustBeSaid(new Error(message));
    const written = pageState.print(state, limits);
    const again = pageState.parse(written);
    mustBeEqual(again.state, state, 'the state, read again');
    const { state: _, problems: __, ...others } = again;
    mustBeEqual(pageState.print(again.state, others), written, 'the address, written again');
    const knobs = readKnobs(state.knobs);
    mustBeEqual(readKnobs(printKnobs(knobs)), knobs, 'the knobs, read again');
    return problems.length > 0 ? 'refused' : 'read';
  },
};

const refusedByPack = async (read: Promise<unknown>): Promise<boolean> => {
  try {
    await read;
    return false;
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    mustBeSaid(error);
    return true;
  }
};

const deflated = async (bytes: Uint8Array): Promise<string> =>
  toBase64Url(await pump(bytes, new CompressionStream('deflate-raw'), 1 << 20));

function signed(bytes: Uint8Array): Uint8Array {
  const made = bytes.slice();
  if (made.length >= 8) new DataView(made.buffer).setUint32(4, fnv1a(made.subarray(8)), true);
  return made;
}

/** A matrix of 2×1 and two of 1×1 before they are packed, and a text. */
const PACKED_MATRICES = [
  ...[0x41, 0x4c, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
  ...[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x3f, 0x3f, 0x3f, 0x3f],
];
const mode = (letter: string, bytes: Iterable<number>): Uint8Array =>
  Uint8Array.from([letter.charCodeAt(0), ...bytes]);

/**
 * The packed data of links. The first letter decides how the rest is used: `t` and `m` as packed text, `T` and `M` as
 * data to which a right checksum is added, and `p` as text to be packed.
 */
const packed: Target = {
  name: 'packed',
  rounds: 1500,
  seeds: [
    mode('M', PACKED_MATRICES),
    mode('T', [0x41, 0x54, 1, 0, 0, 0, 0, 0, 0x70, 0x61, 0x73, 0x73]),
    mode('p', bytesOf('def φ(x):\n\treturn "ü\\n" * 3\n')),
    mode('t', bytesOf('c3RoYQAA')),
    mode('m', bytesOf('c3RyYGBgAAA')),
  ],
  words: ['AL', 'AT', '\x01\x00', '\0\0\0\0', '\uFEFF', '-_', 'AA', '\uFFFD'],
  async check(input): Promise<Outcome> {
    const kind = String.fromCharCode(input[0] ?? 0);
    const rest = input.subarray(1);
    if (kind === 'p') {
      const text = textOf(rest);
      const link = await packText(text);
      must(link !== undefined && /^[\w-]*$/.test(link), 'a short text that does not pack');
      mustBeEqual(await unpackText(link), text, 'packed and unpacked');
      return 'read';
    }
    if (kind === 't') return (await refusedByPack(unpackText(textOf(rest)))) ? 'refused' : 'read';
    if (kind === 'T') {
      const text = await deflated(signed(rest));
      return (await refusedByPack(unpackText(text))) ? 'refused' : 'read';
    }
    const text = kind === 'm' ? textOf(rest) : await deflated(signed(rest));
    if (await refusedByPack(unpackMatrices(text))) return 'refused';
    const found = await unpackMatrices(text);
    const again = await packMatrices(found);
    must(again !== undefined, 'matrices of a link that fit into none');
    const read = await unpackMatrices(again);
    for (const name of ['q', 'k', 'v'] as const) {
      // The bits tell −0 from 0. A NaN is any NaN: a number of JavaScript need not keep its payload.
      const bits = ({ data }: { data: Float32Array }) => {
        const whole = new Uint32Array(data.buffer);
        return whole.map((each, i) => (Number.isNaN(data[i]) ? 0x7fc00000 : each));
      };
      mustBeEqual(bits(read[name]), bits(found[name]), `${name}, packed again`);
    }
    return 'read';
  },
};

export const addresses = [links, pages, packed];
