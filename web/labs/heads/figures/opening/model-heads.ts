/** What the heads of the reader, or of a model of its shape that has learned nothing, do on a sentence. */
import type { Client, HeadScoresResult, LanguageModel, Matrix } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { logOf, ofModel, trained, untrained } from '../../../../src/models/on-page.ts';
import type { Role } from '../../words/opening.ts';

export interface HeadsOfText {
  readonly made: 'reader' | 'untrained';
  readonly tokens: readonly string[];
  readonly all: number;
  readonly layers: readonly (readonly Matrix[])[];
  readonly scores: readonly HeadScoresResult[];
  readonly names?: readonly Role[];
}

/** The heads of each layer on these tokens. */
export async function layersOf(
  model: LanguageModel,
  tokens: Int32Array,
  signal: AbortSignal,
): Promise<readonly (readonly Matrix[])[]> {
  const layers: Matrix[][] = [];
  for (const { layer, weights } of await model.attention({ tokens }, { signal })) {
    layers[layer] ??= [];
    layers[layer]?.push(weights);
  }
  return layers;
}

export async function headsOf(
  client: Client,
  {
    text,
    model: wanted,
    seed,
    most,
  }: {
    readonly text: string;
    readonly model: 'reader' | 'untrained';
    readonly seed: number;
    readonly most: number;
  },
  ask: Ask,
): Promise<HeadsOfText> {
  const { signal } = ask;
  const [{ model: reader, tokenizer }, log] = await Promise.all([
    trained(client, 'reader', ask),
    logOf('reader'),
  ]);
  return ofModel(client, 'reader', async () => {
    const all = await tokenizer.encode(text, { signal });
    const tokens = all.slice(0, most);
    const texts = await Promise.all(
      Array.from(tokens, (token) => tokenizer.decode([token], { signal })),
    );
    const model = wanted === 'reader' ? reader : await untrained(client, 'reader', seed, signal);
    try {
      const layers = await layersOf(model, tokens, signal);
      const scores = await Promise.all(
        layers.map((weights) => client.headScores({ weights, tokens, shuffles: 0 }, { signal })),
      );
      return {
        ...{ made: wanted, tokens: texts, all: all.length, layers, scores },
        ...(wanted === 'reader' && { names: log.heads.names.map(({ name }) => name as Role) }),
      };
    } finally {
      if (model !== reader) await model.dispose();
    }
  });
}
