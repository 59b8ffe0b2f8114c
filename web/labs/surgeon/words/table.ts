/** The words of the opening figure. They belong to the first load. */
import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

type StageId = 'scale' | 'mask' | 'softmax';

interface TableWords {
  readonly heading: string;
  readonly text: string;
  /** Below a sentence that is longer than the table. */
  readonly beginning: (most: number, all: number) => string;
  readonly dK: string;
  readonly size: string;
  readonly sizeNote: string;
  readonly stages: Readonly<Record<StageId | 'scores' | 'output', string>>;
  readonly made: Readonly<Record<StageId | 'scores', string>>;
  readonly values: string;
  readonly earlier: (stage: string) => string;
  readonly later: (stage: string) => string;
  readonly takeOut: (stage: string) => string;
  readonly putBack: (stage: string) => string;
  readonly out: string;
  readonly outShort: string;
  readonly backShort: string;
  readonly scale: string;
  readonly scales: Readonly<Record<'sqrt' | 'width' | 'none', string>>;
  readonly mask: string;
  readonly masks: Readonly<Record<'causal' | 'reverse' | 'earlier' | 'inverted' | 'none', string>>;
  readonly fill: string;
  readonly fills: Readonly<Record<'minusInfinity' | 'minusBillion' | 'zero', string>>;
  readonly softmax: string;
  readonly axes: Readonly<Record<'rows' | 'columns' | 'none', string>>;
  readonly maximum: string;
  readonly yes: string;
  readonly no: string;
  readonly order: string;
  readonly query: string;
  readonly rowOf: (token: string) => string;
  readonly titles: Readonly<Record<'weights' | 'row', string>>;
  readonly sumTitle: string;
  readonly numbers: Readonly<
    Record<'nan' | 'off' | 'blocked' | 'largest' | 'keys' | 'away', string>
  >;
  readonly becomes: (label: string, before: string, now: string) => string;
  readonly changes: (all: readonly string[]) => string;
  readonly saturated: (max: string) => string;
  readonly pick: string;
  readonly cell: (token: string, column: number, value: string) => string;
  readonly trace: (token: string, column: number) => string;
  readonly product: string;
  readonly value: (column: number) => string;
  readonly sum: string;
  readonly step: string;
  readonly diagnosis: string;
  readonly nothingToSee: (row: number, token: string) => string;
  readonly overflow: (row: number, token: string) => string;
  readonly moreRows: (rows: number) => string;
  readonly infinite: (row: number, token: string) => string;
  readonly negative: (weights: number) => string;
  readonly off: (rows: number, of: number, row: number, token: string, sum: string) => string;
  readonly leak: (share: string) => string;
  readonly leakWide: (share: string) => string;
  readonly future: (share: string) => string;
  readonly sharp: (max: string, keys: string) => string;
  readonly away: (share: string) => string;
  readonly right: string;
  readonly rightUnmasked: string;
  readonly caption: (v: {
    readonly n: number;
    readonly dK: number;
    readonly size: string;
    readonly order: string;
    readonly seed: number;
  }) => string;
  readonly orderOf: (stages: readonly string[]) => string;
  readonly columns: readonly string[];
}

const both: EnglishFirst<TableWords> = {
  en: {
    heading: 'Attention on the operating table',
    text: 'Sentence, up to eight words',
    beginning: (most, all) => `The table has the first ${most} of ${all} words.`,
    dK: 'Width of queries and keys',
    size: 'Size of the queries',
    sizeNote: 'Every entry of Q is multiplied by it.',
    stages: {
      scores: 'QKᵀ',
      scale: 'scale',
      mask: 'mask',
      softmax: 'softmax',
      output: 'times V',
    },
    made: {
      scores: 'q·k',
      scale: 'scaled',
      mask: 'masked',
      softmax: 'softmax',
    },
    values: 'V',
    earlier: (stage) => `Move “${stage}” one place earlier`,
    later: (stage) => `Move “${stage}” one place later`,
    takeOut: (stage) => `Take out “${stage}”`,
    putBack: (stage) => `Put back “${stage}”`,
    out: 'taken out: it passes on what it gets',
    outShort: 'out',
    backShort: 'back',
    scale: 'Factor',
    // Underscores are in a part of the font that the first view does not need.
    scales: { sqrt: '1/√dₖ', width: '1/dₖ', none: 'none' },
    mask: 'Blocked',
    masks: {
      causal: 'the future',
      reverse: 'the past',
      earlier: 'itself and the future',
      inverted: 'itself and the past',
      none: 'nothing',
    },
    fill: 'Write',
    fills: { minusInfinity: '−∞', minusBillion: '−10⁹', zero: '0' },
    softmax: 'Sums to 1',
    axes: { rows: 'each row', columns: 'each column', none: 'nothing' },
    maximum: 'subtract the maximum',
    yes: 'yes',
    no: 'no',
    order: 'Order of the stages',
    query: 'Query',
    rowOf: (token) => `The row of ${token} in every stage`,
    titles: {
      weights: 'The weights, and what each row sums to',
      row: 'One row, from products to shares',
    },
    sumTitle: 'sum of the row, which should be 1',
    numbers: {
      nan: 'rows that are not numbers',
      off: 'rows that do not sum to 1',
      blocked: 'weight on blocked cells',
      largest: 'largest weight of a row, mean',
      keys: 'effective keys',
      away: 'distance of the output',
    },
    becomes: (label, before, now) => `${label}: ${before} → ${now}`,
    changes: (all) => {
      const said = all.join('; ');
      return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
    },
    saturated: (max) =>
      `Nothing is wrong, but it cannot learn: the largest weight of a row is ${max} on average, and where a row has one weight of 1 hardly any gradient reaches its scores.`,
    pick: 'Point at a number of the output, or walk there with the arrow keys: its row is marked in every stage.',
    cell: (token, column, value) => `output of ${token}, column ${column}: ${value}`,
    trace: (token, column) => `How the output of ${token}, column ${column}, came about`,
    product: 'weight · v',
    value: (column) => `v, column ${column}`,
    sum: 'sum',
    step: 'stage',
    diagnosis: 'What the numbers say',
    nothingToSee: (row, token) =>
      `Row ${row} (“${token}”) is not a number: the query sees no key, all its scores are −∞, and −∞ − (−∞) has no value.`,
    overflow: (row, token) =>
      `Row ${row} (“${token}”) is not a number: without its maximum taken off, exp of its scores is beyond what float32 can hold, and ∞/∞ has no value.`,
    moreRows: (rows) => `${rows} rows are not numbers.`,
    infinite: (row, token) =>
      `Row ${row} (“${token}”) holds −∞ as a weight: no softmax came after the mask to make 0 of it.`,
    negative: (weights) =>
      `${weights} ${weights === 1 ? 'weight is' : 'weights are'} below 0: these are scores and no shares.`,
    off: (rows, of, row, token, sum) =>
      `${rows} of ${of} rows do not sum to 1: row ${row} (“${token}”) sums to ${sum}.`,
    leak: (share) => `${share} of the weight is on the future, which the mask was to block.`,
    leakWide: (share) => `${share} of the weight is on cells that the mask was to block.`,
    future: (share) =>
      `${share} of the weight is on the future: a model that is to predict the next word would be looking at it.`,
    sharp: (max, keys) =>
      `The largest weight of a row is ${max} on average; a query looks at ${keys} keys effectively.`,
    away: (share) =>
      `The output is ${share} away from attention with 1/√d_k and the mask that was meant.`,
    right:
      'Nothing is wrong: all rows sum to 1, nothing is on blocked cells, and the output is that of attention.',
    rightUnmasked:
      'The output is that of attention without a mask; whether that is wrong depends on what it is for.',
    caption: ({ n, dK, size, order, seed }) =>
      `${n} tokens, untrained Q, K and V with d_k = ${dK}, d_v = 3, queries times ${size}, ${order}, seed ${seed}, float32.`,
    orderOf: (stages) => `QKᵀ → ${stages.join(' → ')} → times V`,
    columns: ['query', 'key', 'blocked', 'q·k', 'after stage 1', 'after stage 2', 'after stage 3'],
  },
};

export const words = orEnglish(both);
