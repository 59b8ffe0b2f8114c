/** A text that the small model drafts and the reader accepts or refuses. */
import type { Client, SpeculativeText } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import { modelNamed, unreadTokens } from '../shared/reader.ts';

export interface Setting {
  readonly gamma: number;
  readonly temperature: number;
  readonly seed: number;
}

/** The tokens of the prompt, of the models' unread chapter, and those written after it. */
const PROMPT = 24;
const COUNT = 96;

export interface Piece {
  readonly text: string;
  /** A draft that was accepted, one that was refused, or a token that the reader chose. */
  readonly kind: 'accepted' | 'refused' | 'chosen';
}

export interface Drafted {
  readonly prompt: string;
  readonly pieces: readonly Piece[];
  readonly made: SpeculativeText;
  /** Tokens of a run, and how many times as fast, by the formula with the measured acceptance, for γ = 0 … 8. */
  readonly expected: readonly number[];
  readonly speedup: readonly number[];
  /** The small model's parameters over the reader's: what a draft costs of a reader's token. */
  readonly cost: number;
}

export async function drafted(client: Client, setting: Setting, ask: Ask): Promise<Drafted> {
  const { signal } = ask;
  const { gamma, temperature, seed } = setting;
  const reader = await modelNamed(client, 'reader', ask);
  const small = await modelNamed(client, 'causal-small', ask);
  const prompt = (await unreadTokens(client, ask)).slice(0, PROMPT);
  const draft = small.model.number;
  const made = await reader.model.speculate(
    { draft, prompt, count: COUNT, gamma, temperature, seed },
    { signal },
  );
  const { texts } = await reader.tokenizer.info({ signal });
  const pieces: Piece[] = [];
  let at = 0;
  for (const [run, tokens] of made.tokensOfRuns.entries()) {
    for (let i = 0; i < tokens; i++, at++) {
      const text = texts[made.tokens[at] ?? 0] ?? '';
      const refused = made.refused[run] ?? -1;
      if (i < tokens - 1) pieces.push({ text, kind: 'accepted' });
      else {
        if (refused >= 0) pieces.push({ text: texts[refused] ?? '', kind: 'refused' });
        pieces.push({ text, kind: 'chosen' });
      }
    }
  }
  // Every weight but the embedding's is used once a token: what a step costs beside its attention.
  const [big, little] = [await reader.model.info({ signal }), await small.model.info({ signal })];
  const cost = little.parameters / big.parameters;
  const gammas = Array.from({ length: 9 }, (_, g) => g);
  const gain = await client.speculativeGain(
    { alphas: [made.alpha], gammas, costs: [cost] },
    { signal },
  );
  return {
    ...{ prompt: await reader.tokenizer.decode(prompt, { signal }), pieces, made, cost },
    expected: [...gain.expectedTokens.data],
    speedup: [...(gain.speedup[0]?.data ?? [])],
  };
}

export interface Same {
  /** The tokens that the reader thinks likeliest, its probabilities, the small model's, and how often each came. */
  readonly tokens: readonly string[];
  readonly reader: readonly number[];
  readonly small: readonly number[];
  readonly came: readonly number[];
  readonly draws: number;
  /** Σ (came − expected)²/expected over these tokens and all others together, and its degrees of freedom. */
  readonly chiSquared: number;
  readonly freedom: number;
}

const SHORT = 6;
const SHOWN = 9;

/** How often each token comes first, over many texts of two tokens. */
export async function sameText(
  client: Client,
  { draws, seed }: { readonly draws: number; readonly seed: number },
  ask: Ask,
): Promise<Same> {
  const { signal } = ask;
  const reader = await modelNamed(client, 'reader', ask);
  const small = await modelNamed(client, 'causal-small', ask);
  const prompt = (await unreadTokens(client, ask)).slice(0, SHORT);
  const chances = async ({ model }: typeof reader): Promise<number[]> => {
    const { cols, data, rows } = await model.logits({ tokens: prompt }, { signal });
    const last = { rows: 1, cols, data: data.slice((rows - 1) * cols, rows * cols) };
    return [...(await client.softmax({ x: last }, { signal })).weights.data];
  };
  const [p, q] = [await chances(reader), await chances(small)];
  const counts = new Float64Array(p.length);
  for (let i = 0; i < draws; i++) {
    const { tokens } = await reader.model.speculate(
      { draft: small.model.number, prompt, count: 2, gamma: 1, seed: seed * 100_000 + i },
      { signal },
    );
    const first = tokens[0] ?? 0;
    counts[first] = (counts[first] ?? 0) + 1;
    if (i % 16 === 0) ask.onProgress(i / draws);
  }
  const order = p.map((_, i) => i).sort((a, b) => (p[b] ?? 0) - (p[a] ?? 0));
  const shown = order.slice(0, SHOWN);
  const pick = (list: ArrayLike<number>) => shown.map((i) => list[i] ?? 0);
  const { texts } = await reader.tokenizer.info({ signal });
  const cells = [...shown.map((i) => [counts[i] ?? 0, p[i] ?? 0] as const)];
  const rest = 1 - cells.reduce((sum, [, chance]) => sum + chance, 0);
  cells.push([draws - cells.reduce((sum, [count]) => sum + count, 0), rest]);
  const chiSquared = cells.reduce(
    (sum, [count, chance]) => sum + (count - draws * chance) ** 2 / (draws * chance),
    0,
  );
  return {
    tokens: shown.map((i) => texts[i] ?? ''),
    ...{ reader: pick(p), small: pick(q), came: pick(counts).map((one) => one / draws) },
    ...{ draws, chiSquared, freedom: cells.length - 1 },
  };
}
