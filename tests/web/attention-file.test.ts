/** Attention weights from files: the bytes are read here, and what they mean is said by the core. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { ExportedAttention } from '../../wasm/client';
import { readAttentionFiles } from '../../web/src/import/attention-file';
import { ImportError } from '../../web/src/import/error';
import { createFullTestClient } from '../wasm/in_process';
import { npyFile, raw } from './npy-file';
import { zipFile } from './zip-file';

const folder = join(process.env.ATTN_GOLDEN_DIR ?? 'tests/golden', 'files');
const file = (name: string) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, name))) });
const utf8 = (text: string) => new TextEncoder().encode(text);

const TOKENS = ['<s>', ' The', ' cat', ' s', 'at'];

const client = createFullTestClient('simd');
afterAll(() => client.dispose());

interface Exported {
  readonly file: string;
  readonly attention?: { readonly whole?: { readonly first: readonly number[] } };
}

/** Every number of the fixtures: layers 2, heads 3, 5×5, each of the three files of them in its own layout. */
async function everything(files: readonly { name: string; bytes: Uint8Array }[]) {
  const attention = await ExportedAttention.create(client, await readAttentionFiles(files));
  const info = await attention.info();
  const numbers: number[] = [];
  for (let layer = 0; layer < info.layers; layer++) {
    for (let head = 0; head < info.heads; head++) {
      const { rows, cols, data } = await attention.weights({ layer, head });
      expect([rows, cols]).toEqual([info.queries, info.keys]);
      numbers.push(...data);
    }
  }
  await attention.dispose();
  return { info, numbers };
}

describe('attention as models export it', () => {
  const json = 'model_L1Hnn.tokens.json';
  const exports: readonly (readonly [layout: string, files: readonly string[]])[] = [
    ['oneArray', ['model_LHnn_tokens_member.npz']],
    ['oneArray', ['model_L1Hnn.npz', json]],
    ['arrayEachLayer', ['layers_as_files.layer_1.npy', json, 'layers_as_files.layer_0.npy']],
    ['generated', ['generate_steps.npz', json]],
  ];
  it.each(exports)('%s: %j', async (layout, names) => {
    const { info, numbers } = await everything(names.map(file));
    expect(info).toMatchObject({ layers: 2, heads: 3, queries: 5, keys: 5, layout, causal: true });
    expect(info.tokens).toEqual(TOKENS);
    expect(info.queryTokens).toEqual(TOKENS);
    expect(info.emptyRows).toBe(0);
    // Rounded to float16.
    expect(info.worstSum).toBeLessThan(1e-3);
    const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as {
      files: readonly Exported[];
    };
    const whole = index.files.find((one) => one.attention?.whole)?.attention?.whole;
    expect(numbers.slice(0, 8)).toEqual(whole?.first);
    // All four files hold the same model.
    expect(numbers).toEqual((await everything([file('model_LHnn_tokens_member.npz')])).numbers);
  });

  it('is read from one array of all steps, padded with NaN, of float16 in Fortran order', async () => {
    const half = (values: readonly number[]) =>
      raw(values, 2, (view, at, value) => {
        // 0, ½, 1 and NaN are all there is.
        view.setUint16(
          at,
          new Map([
            [0, 0],
            [0.5, 0x3800],
            [1, 0x3c00],
          ]).get(value) ?? 0x7e00,
          true,
        );
      });
    // (steps 2, layers 1, heads 1, 2, 3): a prompt of two tokens, then one more.
    const [no, steps] = [Number.NaN, [1, 0, Number.NaN, 0.5, 0.5, Number.NaN]];
    const c = [...steps, 0, 0.5, 0.5, no, no, no];
    // The first axis runs fastest: step, row, column.
    const fortran = Array.from({ length: 12 }, (_, i) => {
      const [step, row, col] = [i % 2, (i >> 1) % 2, Math.floor(i / 4)];
      return c[step * 6 + row * 3 + col] as number;
    });
    for (const [data, fortranOrder] of [
      [c, false],
      [fortran, true],
    ] as const) {
      const bytes = npyFile({
        descr: '<f2',
        shape: '(2, 1, 1, 2, 3)',
        fortranOrder,
        data: half(data),
      });
      const { info, numbers } = await everything([{ name: 'steps.npy', bytes }]);
      expect(info).toMatchObject({ layout: 'generated', queries: 3, keys: 3 });
      expect([...info.steps]).toEqual([2, 1]);
      expect(numbers).toEqual([1, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0.5]);
    }
  });

  it('is rectangular where queries have tokens of their own', async () => {
    const weights = npyFile({
      shape: '(1, 1, 1, 2, 3)',
      data: raw([0.25, 0.25, 0.5, 0, 1, 0], 4, (view, at, x) => view.setFloat32(at, x, true)),
    });
    const bytes = zipFile([
      { name: 'cross_attentions.npy', data: weights, deflated: (data) => deflateRawSync(data) },
      { name: 'README', data: utf8('no array') },
    ]);
    const { info } = await everything([
      { name: 'cross.npz', bytes },
      { name: 'tokens.json', bytes: utf8('["a", "b", "c"]') },
      { name: 'query_tokens.json', bytes: utf8('["x", "ÿ"]') },
    ]);
    expect(info).toMatchObject({ queries: 2, keys: 3, causal: false });
    expect(info.queryTokens).toEqual(['x', 'ÿ']);
    expect(info.tokens).toEqual(['a', 'b', 'c']);
  });

  it('is refused with what was seen and what is wanted', async () => {
    const failure = async (...files: { name: string; bytes: Uint8Array }[]) => {
      const error = await everything(files).catch((reason: unknown) => reason);
      return error as ImportError & { code?: string; argument?: string };
    };
    const weights = file('model_L1Hnn.npz');
    // Files that cannot be read, by name.
    let error = await failure(weights, { name: 'tokens.json', bytes: utf8('{"tokens": []}') });
    expect(error).toBeInstanceOf(ImportError);
    expect(error.seen.text).toContain('tokens.json');
    error = await failure({ name: 'tokens.json', bytes: utf8('["a"]') });
    expect(error.seen.text).toBe('no array of numbers');
    error = await failure(weights, file(json), { name: 'b.json', bytes: utf8('["a"]') });
    expect(error.seen.text).toContain('model_L1Hnn.tokens, b');
    expect(await failure(file('object.npy'))).toBeInstanceOf(ImportError);
    // Arrays that are no weights, and tokens that are not theirs, by the core.
    expect(await failure(file('qkv_savez.npz'))).toMatchObject({ code: 'value' });
    expect(await failure(weights, { name: 't.json', bytes: utf8('["a"]') })).toMatchObject({
      code: 'shape',
      argument: 'tokens',
    });
    const scores = npyFile({
      shape: '(1, 1, 2, 2)',
      data: raw([0.5, 0.5, 3, 1], 4, (view, at, x) => view.setFloat32(at, x, true)),
    });
    error = await failure({ name: 'scores.npy', bytes: scores });
    expect(error.seen.text).toBe('row 1 of layer 0, head 0 has the sum 4');
  });
});
