/** Where the weights of this figure come from: a file of the visitor's, or the trained reader. */
import { type Client, ExportedAttention, type Matrix } from '#client';
import { ImportError } from '../../../../src/import/error.ts';
import type { Ask } from '../../../../src/lab/types.ts';
import { trained } from '../../../../src/models/on-page.ts';
import { allInWords } from '../../../../src/strings/problem.ts';

export interface Source {
  /** Nothing for the example. */
  readonly name: string | undefined;
  readonly layers: number;
  readonly heads: number;
  readonly tokens: readonly string[];
  readonly queryTokens: readonly string[];
  readonly causal: boolean;
  /** Arrays of the file that are not read. */
  readonly leftOut: readonly string[];
  /** The weights of the heads of one layer. */
  readonly layer: (layer: number, ask: Ask) => Promise<readonly Matrix[]>;
  readonly head: (layer: number, head: number, ask: Ask) => Promise<Matrix>;
  readonly dispose: () => void;
}

/** The reader on a text, as it is now. */
export async function fromReader(client: Client, text: string, ask: Ask): Promise<Source> {
  const { model, tokenizer } = await trained(client, 'reader', ask);
  const { signal } = ask;
  const ids = await tokenizer.encode(text, { signal });
  const { texts } = await tokenizer.info({ signal });
  const all = await model.attention({ tokens: ids }, { signal });
  const layers = Math.max(...all.map(({ layer }) => layer)) + 1;
  const tokens = [...ids].map((id) => texts[id] ?? '');
  const of = (layer: number): readonly Matrix[] =>
    all.filter((one) => one.layer === layer).map(({ weights }) => weights);
  return {
    ...{ name: undefined, layers, heads: of(0).length, tokens, queryTokens: tokens },
    ...{ causal: true, leftOut: [] },
    layer: async (layer) => of(layer),
    head: async (layer, head) => of(layer)[head] as Matrix,
    dispose: () => undefined,
  };
}

const numbers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => String(i + 1));

/**
 * The weights in files of the visitor's. Nothing leaves the page.
 * @throws Error whose message says what is wrong, in the page's language
 */
export async function fromFiles(client: Client, files: readonly File[]): Promise<Source> {
  const { readAttentionFiles } = await import('../../../../src/import/attention-file.ts');
  try {
    const read = await readAttentionFiles(
      await Promise.all(
        files.map(async (file) => ({
          name: file.name,
          bytes: new Uint8Array(await file.arrayBuffer()),
        })),
      ),
    );
    const kept = await ExportedAttention.create(client, read);
    const info = await kept.info();
    const tokens = info.tokens.length > 0 ? info.tokens : numbers(info.keys);
    const own = info.queryTokens.length > 0 ? info.queryTokens : undefined;
    const queryTokens = own ?? (info.queries === info.keys ? tokens : numbers(info.queries));
    const head = (layer: number, which: number, { signal }: Ask): Promise<Matrix> =>
      kept.weights({ layer, head: which }, { signal });
    return {
      ...{ name: files.map(({ name }) => name).join(', '), layers: info.layers, heads: info.heads },
      ...{ tokens, queryTokens, causal: info.causal, leftOut: info.leftOut, head },
      layer: (layer, ask) =>
        Promise.all(Array.from({ length: info.heads }, (_, which) => head(layer, which, ask))),
      dispose: () => void kept.dispose(),
    };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new Error((await allInWords([error.seen, error.wanted])).join(' · '));
  }
}
