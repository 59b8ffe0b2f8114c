/** A text that the small model drafts and the reader accepts or refuses. */
import type { Client, SpeculativeText, TokenTest } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';
import type { Trained } from '../../../../src/models/trained.ts';
import { modelNamed, unreadTokens } from '../shared/reader.ts';
import { type TokenCost, tokenCost } from './token-cost.ts';

export interface Setting {
  readonly gamma: number;
  readonly temperature: number;
  readonly seed: number;
}

/** The tokens of the prompt, of the models' unread chapter, and those written after it. */
const PROMPT = 24;
const COUNT = 64;
/** The most drafts of a run. */
export const MOST = 8;

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
  /** The γ of these that the formula says is the fastest, and the least that is no faster than the reader alone. */
  readonly best: number;
  readonly slower: number | undefined;
  readonly cost: TokenCost;
  /** How many times as fast as the reader alone this very text was, here, where the rows of a run come one by one. */
  readonly here: number;
}

interface Models {
  readonly reader: Trained;
  readonly small: Trained;
  readonly prompt: Int32Array;
}

async function models(client: Client, ask: Ask): Promise<Models> {
  const reader = await modelNamed(client, 'reader', ask);
  const small = await modelNamed(client, 'causal-small', ask);
  return { reader, small, prompt: (await unreadTokens(client, ask)).slice(0, PROMPT) };
}

const written = (
  { reader, small, prompt }: Models,
  setting: Setting,
  { signal }: Ask,
): Promise<SpeculativeText> =>
  reader.model.speculate(
    { ...{ draft: small.model.number, prompt, count: COUNT }, ...setting },
    { signal },
  );

/** The share of the drafts that the reader accepts. It needs no clock, so it does not wait for the one of the figure. */
export async function accepted(client: Client, setting: Setting, ask: Ask): Promise<number> {
  const made = await written(await models(client, ask), setting, ask);
  return made.accepted / Math.max(1, made.decided);
}

export async function drafted(client: Client, setting: Setting, ask: Ask): Promise<Drafted> {
  const { signal } = ask;
  const both = await models(client, ask);
  const { reader, prompt } = both;
  const cost = await tokenCost(client, both, { prompt, count: COUNT }, ask);
  const begun = performance.now();
  const made = await written(both, setting, ask);
  const here = cost.alone / (performance.now() - begun);
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
  const gammas = Array.from({ length: MOST + 1 }, (_, g) => g);
  const gain = await client.speculativeGain(
    { alphas: [made.alpha], gammas, costs: [cost.ratio] },
    { signal },
  );
  const speedup = [...(gain.speedup[0]?.data ?? [])];
  const slower = speedup.findIndex((times, g) => g > 0 && times <= 1);
  return {
    ...{ prompt: await reader.tokenizer.decode(prompt, { signal }), pieces, made, cost, here },
    ...{ expected: [...gain.expectedTokens.data], speedup },
    ...{ best: gain.bestGamma.data[0] ?? 0, slower: slower < 0 ? undefined : slower },
  };
}

export interface Same {
  /** The tokens that the reader thinks likeliest, its probabilities, the small model's, and how often each came. */
  readonly tokens: readonly string[];
  readonly reader: readonly number[];
  readonly small: readonly number[];
  readonly came: readonly number[];
  readonly draws: number;
  /** Pearson's test of all tokens that came against the reader's probabilities. */
  readonly test: TokenTest;
  /** The same test of as many tokens that the small model drew alone: what a test that sees something looks like. */
  readonly control: TokenTest;
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
  const [counts, drawn] = [new Float64Array(p.length), new Float64Array(p.length)];
  const add = (to: Float64Array, token = 0): void => {
    to[token] = (to[token] ?? 0) + 1;
  };
  for (let i = 0; i < draws; i++) {
    const each = { prompt, seed: seed * 100_000 + i };
    const together = { ...each, draft: small.model.number, count: 2, gamma: 1 };
    add(counts, (await reader.model.speculate(together, { signal })).tokens[0]);
    add(drawn, (await small.model.generate({ ...each, count: 1 }, { signal }))[0]);
    if (i % 16 === 0) ask.onProgress(i / draws);
  }
  const order = p.map((_, i) => i).sort((a, b) => (p[b] ?? 0) - (p[a] ?? 0));
  const shown = order.slice(0, SHOWN);
  const pick = (list: ArrayLike<number>) => shown.map((i) => list[i] ?? 0);
  const { texts } = await reader.tokenizer.info({ signal });
  const probabilities = Float64Array.from(p);
  const test = await client.chiSquared({ counts, probabilities }, { signal });
  const control = await client.chiSquared({ counts: drawn, probabilities }, { signal });
  return {
    tokens: shown.map((i) => texts[i] ?? ''),
    ...{ reader: pick(p), small: pick(q), came: pick(counts).map((one) => one / draws) },
    ...{ draws, test, control },
  };
}
