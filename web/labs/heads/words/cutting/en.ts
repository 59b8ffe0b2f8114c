import type { Role } from '../opening.ts';

const nats = (value: string): string => `${value} nats`;

export const words = {
  heading: 'The reader without some of its heads',
  instead: 'in its place',
  insteads: { mean: 'its mean', zero: 'zeros' },
  order: 'first goes',
  orders: {
    importance: 'the least important',
    alone: 'the cheapest alone',
    random: 'at random',
  },
  cut: 'heads cut',
  at: (count: number) => `${count} cut`,
  headOf: (layer: number, head: number) => `layer ${layer}, head ${head}`,
  named: (head: string, role: Role, name: string) => (role === 'none' ? head : `${head} · ${name}`),
  titles: {
    alone: 'Each head cut alone',
    orders: 'One more head at a time',
    sums: 'Each alone, and all together',
    texts: 'What it writes',
  },
  rise: 'rise of the loss',
  importance: 'importance by gradient',
  lines: {
    importance: 'least important first',
    alone: 'cheapest first',
    random: 'random',
  },
  loss: 'loss, nats a token',
  sums: { joint: 'cut together', sum: 'sum of single cuts' },
  whole: 'All heads',
  without: (count: number, of: number) =>
    count === 0 ? 'No head cut' : count === of ? 'No head left' : `${count} of ${of} cut`,
  writing: 'writing …',
  within: (rise: string) => `${nats(rise)} more`,
  aloneLine: (worst: string, rise: string, small: number, of: number, least: string) =>
    `${worst} costs most: *+${nats(rise)}* a token. *${small} of ${of}* heads cost less than ${least} each.`,
  ordersLine: (
    count: number,
    of: number,
    order: string,
    loss: string,
    whole: string,
    random: string,
  ) =>
    `With ${count} of ${of} heads cut (${order}) the loss is *${loss}* in place of ${whole}; in random orders it is ${random}.`,
  sumsLine: (count: number, sum: string, joint: string) =>
    `Cut one by one these ${count} heads cost ${sum} in all; cut together they cost *${nats(joint)}*.`,
  between: (low: string, high: string) => (low === high ? low : `${low} to ${high}`),
  textsLine: (count: number, of: number, loss: string, whole: string) =>
    `With ${count} of ${of} heads cut the loss is *${loss}* nats a token, with all of them ${whole}.`,
  numbers: { loss: 'loss', worst: 'the costliest head', joint: 'rise together' },
  caption: (v: {
    tokens: number;
    instead: string;
    random: number;
    temperature: string;
    top: number;
    seed: number;
  }) =>
    `The trained reader on ${v.tokens} tokens of chapter 26 of Moby-Dick, which it was not trained on; a cut head gives ${v.instead}. Importance, means of what is written, and orders are from chapter 6. Importance is the mean over sequences of |∂loss/∂gate| (Michel et al. 2019). ${v.random} random orders and texts (temperature ${v.temperature}, of the ${v.top} likeliest tokens): seed ${v.seed}. Nothing is trained after a cut.`,
  gives: { mean: 'its mean over the text', zero: 'zeros' },
  table: 'All heads',
  columnsOfTable: ['head', 'rise when cut alone', 'importance'],
  columns: ['heads cut', 'least important first', 'cheapest alone first'],
  randomColumn: (i: number) => `random ${i}`,
};

export type CuttingFigure = typeof words;
