import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

const views = {
  grid: 'all heads',
  lines: 'one head: lines',
  cells: 'one head: matrix',
  statistics: 'statistics',
  tree: 'distances',
  rollout: 'rollout',
  snippet: 'get a file',
};

const english = {
  heading: 'Attention of any model',
  view: 'View',
  views,
  which: 'head number',
  text: 'Two sentences for the example',
  words: 'Pieces of words become words',
  special: 'Special tokens are shown',
  between: 'Between the sentences',
  betweens: { all: 'all', aa: '1 → 1', ab: '1 → 2', ba: '2 → 1', bb: '2 → 2' },
  example: 'Example: this site’s reader, computed here from your two sentences.',
  from: (name: string) => `From ${name}. It stays in this page.`,
  choose: 'Choose files (.npz, .npy, .json)',
  back: 'Back to the example',
  cannot: (why: string) => `This cannot be read: ${why}`,
  leftOut: (names: string) =>
    `Not read, since these are no weights or not the ones meant: ${names}.`,
  layer: (layer: number) => `layer ${layer}`,
  head: (layer: number, head: number) => `layer ${layer}, head ${head}`,
  open: (layer: number, head: number) => `Show layer ${layer}, head ${head}`,
  nothing: 'Nothing is left: this text has no second sentence, or only special tokens.',
  square: 'Statistics and rollout need queries and keys that are the same tokens.',
  shape: (layers: number, heads: number, queries: number, keys: number) =>
    `${layers} ${layers === 1 ? 'layer' : 'layers'} × ${heads} heads, ${queries} × ${keys}`,
  said: {
    grid: (layers: number, heads: number, top: string, share: string) =>
      `${layers * heads} heads. The most certain one is ${top}: its rows’ largest weights are *${share}* on average.`,
    one: (head: string, effective: string, share: string) =>
      `In ${head} a query’s weight is spread as over *${effective}* equal keys; its largest weight is ${share} on average.`,
    statistics: (sharp: string, wide: string, even: string) =>
      `Entropies go from *${sharp}* to *${wide}* nats; even attention has ${even}.`,
    tree: (a: string, b: string, near: string, share: string) =>
      `The two nearest heads are *${a}* and *${b}*: ${near} nats, ${share} of what is possible.`,
    rollout: (token: string, first: string, uniform: string) =>
      `After all layers “${token}” is *${first}* of the first token; with heads that spread their weight evenly it would be *${uniform}*.`,
    drift: (tokens: number, first: string, layers: number, last: string) =>
      `After one layer ${first} of the last of ${tokens} tokens is the first one, after ${layers} layers ${last}.`,
    snippet: 'The file holds weights and tokens, nothing else, and is read in this page.',
  },
  effective: 'effective keys',
  columns: ['head', 'entropy', 'distance', 'largest', 'previous', 'first', 'itself'],
  x: 'mean distance in tokens',
  y: 'mean entropy in nats',
  evenly: 'even attention',
  onlyLayer: (layer: number) =>
    `So many weights would take long: distances among the heads of layer ${layer} only.`,
  manyWords: 'Lines between so many words cannot be told apart: here is the matrix.',
  driftTitle: 'Rollout where nothing is learned',
  driftLine: 'even attention',
  driftX: 'layers',
  driftY: 'of the last token is the first one, %',
  rolloutTitle: 'Rollout of these weights',
  uniformTitle: 'Rollout of even weights',
  tree: 'distance in nats',
  hidden: (share: string) => `hidden keys had ${share} of the weight`,
  copy: 'Copy',
  copied: 'Copied.',
  snippet: `import numpy as np, transformers as t
name = "bert-base-uncased"
tok = t.AutoTokenizer.from_pretrained(name); ids = tok("The cat sat down.", "It was tired.", return_tensors="pt")
model = t.AutoModel.from_pretrained(name, attn_implementation="eager")
weights = [a[0].detach().numpy().astype("float16") for a in model(**ids, output_attentions=True).attentions]
np.savez_compressed("attention.npz", attentions=weights, tokens=np.array(tok.convert_ids_to_tokens(ids.input_ids[0])))`,
  snippetNote:
    'Without attn_implementation="eager" a fast kernel is used, which never has the weights, and attentions is None.',
  caption: (from: string, shape: string, what: string) => `${from} ${shape}. ${what}`,
  what: {
    words: 'Weights to the pieces of a word are added, those from them averaged.',
    tokens: 'Token by token.',
    hidden: 'Special tokens are left out, and the rows are not scaled up for it.',
    special: 'With special tokens.',
    statistics: 'Entropy, distance and scores of each head as in the core’s head scores.',
    tree: 'Jensen–Shannon divergence summed over rows and smoothed, average linkage (Clark et al. 2019).',
    rollout: 'The product over layers of ½ I + ½ mean of the heads (Abnar & Zuidema 2020).',
  },
  ofCells: ['layer', 'head', 'query', 'key', 'weight'],
  altTree: (heads: number) => `Tree of ${heads} heads by distance`,
};

const both: EnglishFirst<typeof english> = { en: english };
export const words = orEnglish(both);
