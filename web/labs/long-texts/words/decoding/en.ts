/** English words of the figures about decoding. */

/** χ², and how often chance gives as much. */
type Tested = readonly [statistic: string, chance: string];

interface GainLine {
  readonly cost: string;
  readonly best: number;
  readonly speedup: string;
  /** The least γ that is no faster than the reader alone, if there is one. */
  readonly slower: number | undefined;
  readonly here: string;
}

export const words = {
  decode: {
    heading: 'One token more, with and without a cache',
    describe: 'the trained reader',
    what: 'Shown',
    whats: { time: 'time', rows: 'rows computed' },
    cached: 'with a cache',
    plain: 'without',
    x: 'tokens before',
    y: 'ms for one token',
    rows: 'rows through every layer for one token',
    times: 'times as long without a cache',
    line: (before: number, cached: string, plain: string, times: string, rows: number) =>
      `One more after ${before} tokens: *${cached} ms* with a cache, *${plain} ms* without, *${times} times* as long for ${rows} rows in place of one.`,
    heads: ['tokens before', 'ms with a cache', 'ms without', 'rows without'],
    caption:
      'The trained reader on a chapter of Moby-Dick that it has not read. With a cache: the mean of all tokens up to there, each of which goes through it in turn. The fastest of three runs counts.',
    columns: ['tokens_before', 'ms_cached', 'ms_plain', 'rows_plain'],
  },
  overflow: {
    heading: 'When the cache is full',
    way: 'When it is full',
    ways: { ring: 'the oldest goes', sinks: 'the first stay', anew: 'begin anew' },
    size: 'tokens in the cache',
    sinks: 'first tokens that stay',
    before: 'before',
    full: 'full',
    all: 'as with a cache of all tokens',
    x: 'place in the text',
    y: 'nats a token more than with a cache of all',
    loss: 'loss once the cache is full',
    said: {
      ring: 'what was said first is gone',
      sinks: 'the first take places from the newest',
      anew: 'after each new beginning the reader knows nothing',
    },
    line: (size: number, whole: string, cut: string, said: string) =>
      `Past ${size} tokens the reader loses *${whole}* nats a token, and *${cut}* with this cache: ${said}.`,
    caption: (size: number, sinks: number, way: string) =>
      `The trained reader on 128 tokens of a chapter that it has not read, as many texts as the chapter has, at most eight; cache of ${size} tokens, ${way}, sinks ${sinks} where they stay. Keys are stored turned by their places in the text. Means of eight places each.`,
    columns: ['place', 'loss_all', 'loss_cache'],
  },
  positions: {
    heading: 'Scores after the oldest tokens have gone',
    stored: 'Keys stored',
    kinds: { turned: 'turned', bare: 'bare', alibi: 'ALiBi' },
    sinks: (count: number) => `the first ${count} stay`,
    counted: 'the query counts the kept tokens',
    n: 'tokens of the text',
    size: 'tokens in the cache',
    x: 'place of the kept token in the text',
    y: 'score',
    whole: 'in a cache of all tokens',
    kept: 'in this cache',
    error: 'largest difference of a score',
    moved: 'weight that goes to other tokens',
    same: (error: string) => `their scores are the *same* as if all were kept (apart by ${error})`,
    shifted: (error: string) =>
      `all their scores are off by *${error}* alike, which softmax takes away: the weights are the *same*`,
    differ: (error: string, moved: string) =>
      `their scores are off by up to *${error}*, and *${moved}* of the weight goes to other tokens`,
    line: (n: number, kept: number, said: string, furthest: number) =>
      `Of ${n} tokens ${kept} are kept: ${said}. The furthest counts as *${Math.abs(furthest)}* tokens ${furthest < 0 ? 'ahead of the query' : 'away'}.`,
    caption: (n: number, size: number, seed: number) =>
      `One head of width 16 after ${n} tokens, cache of ${size}. Query and keys are Gaussian, seed ${seed}. Turned: by the place in the text, when a key is stored. Bare: by the place in the cache, at every step. ALiBi: a slope of 2⁻⁸ for each token of distance in the text.`,
    columns: ['position', 'score_all_tokens', 'score_cache'],
  },
  pages: {
    heading: 'Texts with one beginning, in blocks',
    picture: 'The blocks of each text, and how many texts hold each of them.',
    shared: 'share the beginning',
    block: 'tokens in a block',
    texts: 'texts',
    prefix: 'tokens of the beginning',
    own: 'tokens of its own, each text',
    row: (text: number) => `text ${text}`,
    blockOf: (id: number, holders: number) =>
      holders > 1 ? `${id} (held by ${holders})` : `${id}`,
    used: 'blocks in use',
    wasted: 'empty places in blocks',
    copied: 'blocks copied before a write',
    line: (tokens: number, blocks: number, places: number, wasted: number, copied: number) =>
      `The texts have ${tokens} tokens; *${blocks} blocks* with ${places} places hold them, ${wasted} of these *empty*, and *${copied}* were copied before they were written.`,
    caption: ({ texts, prefix, own, block, shared }: Record<string, unknown>) =>
      `${texts} texts that begin with ${prefix} tokens and have ${own} of their own, made in turn; blocks of ${block}; ${shared ? 'shared' : 'not shared'}.`,
    columns: ['text', 'place', 'block'],
  },
  stream: {
    heading: 'A stream that has no end',
    length: 'Tokens',
    window: 'window',
    kinds: { window: 'window', sinks: 'four sinks and window', state: 'state' },
    x: 'tokens so far',
    y: 'tokens a second',
    describe: (length: string, window: number) => `${length} tokens, window ${window}`,
    line: (tokens: string, ends: string) => `After ${tokens} tokens they hold: ${ends}.`,
    caption: (length: string, window: number, sinks: number, d: number, seed: number) =>
      `${length} tokens in turn through one head of width ${d}: a window of ${window}, the same with ${sinks} first tokens, and the state of linear attention with elu + 1; rotary angles by place; Gaussian rows that come round again, seed ${seed}.`,
    columns: ['kind', 'tokens', 'tokens_a_second', 'bytes'],
  },
  small: {
    heading: 'Bytes of a cache, and what the reader loses',
    axis: 'Keys: a scale for',
    axes: { channel: 'a channel', token: 'a token' },
    exact: 'newest kept exact',
    exactCache: 'exact',
    bits: (bits: number) => `${bits} bits`,
    grouped: (heads: number) => (heads === 1 ? 'one head’s keys' : `${heads} heads’ keys`),
    latent: (width: number) => `latent ${width}`,
    kinds: {
      exact: 'float32',
      bits: 'fewer bits',
      grouped: 'fewer heads',
      latent: 'latent vector',
    },
    x: 'bytes a token',
    y: 'loss, nats a token',
    describe: (axis: string, exact: number) => `keys by ${axis}, ${exact} exact`,
    line: (bits: number, times: string, exact: string, loss: string) =>
      `At ${bits} bits: *${times} times* smaller, *${loss}* nats a token in place of ${exact}.`,
    heads: ['cache', 'a token', 'nats a token'],
    caption: (axis: string, exact: number) =>
      `The trained reader on a chapter that it has not read, two texts of 128 tokens. Numbers with a zero point, a scale for a token of the values and for ${axis} of the keys; the newest ${exact} exact. Every token has the cache as it is when it comes. Grouped heads have the means of their keys and values, a latent vector the largest singular vectors of both, with a turned key of twelve numbers beside it; neither is trained afterwards. Scales and zero points are in the bytes.`,
    columns: ['cache', 'bytes_a_token', 'loss'],
  },
  draft: {
    heading: 'One model drafts, another decides',
    gamma: 'drafts a run',
    temperature: 'temperature',
    kinds: { accepted: 'accepted draft', refused: 'refused draft', chosen: 'chosen by the reader' },
    legend:
      'The whole text. Tinted: accepted draft. Struck out: refused draft. Bold: chosen by the reader.',
    gainTitle: 'More drafts, more tokens, more work',
    expected: 'tokens a run, by the formula',
    speedup: 'times as fast, by the formula',
    y: 'a run of the reader',
    accepted: 'share of drafts accepted',
    run: 'tokens a run',
    line: (accepted: number, decided: number, run: string, expected: string) =>
      `*${accepted} of ${decided}* drafts accepted: a run of the reader gives *${run} tokens*, by the formula ${expected}.`,
    gainLine: ({ cost, best, speedup, slower, here }: GainLine) =>
      `A draft costs *${cost}* of a token. By the formula ${best === 0 ? 'no draft is best' : `γ = ${best} is best, *${speedup} times* as fast`}${slower === undefined ? '' : `, and from γ = *${slower}* on it is slower`}; measured here: *${here} times*.`,
    alone: 'the reader alone',
    here: 'times as fast, measured here',
    caption: (gamma: number, temperature: string, seed: number, big: string, little: string) =>
      `The reader and causal-small after 24 tokens of a chapter that neither has read; γ = ${gamma}, temperature ${temperature}, seed ${seed}. Measured in this page, with a cache, the fastest of four turns: ${big} ms a token of the reader, ${little} ms of the small model. Rows of a run are computed one by one here, so this page itself gains nothing by them.`,
    columns: ['text', 'kind'],
  },
  same: {
    heading: 'Whose text is it?',
    draws: 'texts',
    reader: 'the reader alone',
    came: 'came from both together',
    small: 'the small model alone',
    describe: (draws: number, seed: number) => `${draws} texts, seed ${seed}`,
    hardly: (share: string) => `less than ${share}`,
    line: (draws: number, cells: number, both: Tested, small: Tested) =>
      `Over ${draws} texts *χ² = ${both[0]}* in ${cells} cells: the reader alone gives as much in *${both[1]}* of the cases. Small model alone: χ² = ${small[0]}, ${small[1]}.`,
    caption: (draws: number, seed: number) =>
      `The first token of ${draws} texts, drafted by causal-small and decided by the reader, after six tokens of a chapter that neither has read; drawn are the reader’s nine likeliest tokens. The test takes all: a cell for each token that is expected five times, one for the others together; seed ${seed}.`,
    columns: ['token', 'reader', 'both', 'small'],
  },
};

export type Decoding = typeof words;
