import { type EnglishFirst, orEnglish } from '../../../src/strings/language.ts';

const english = {
  heading: 'One sentence, seen from the left and from both sides',
  symmetryTitle: 'Are “who asks” and “who is asked” the same?',
  text: 'Sentence',
  sides: { causal: 'sees earlier tokens', both: 'sees both sides' },
  short: { causal: 'earlier', both: 'both' },
  head: (layer: number, head: number) => `layer ${layer}, head ${head}`,
  alt: (side: string, layer: number, head: number) =>
    `Model that ${side}: layer ${layer}, head ${head}`,
  numbers: {
    copies: (side: string) => `most weight on copies of a token, model that ${side}`,
  },
  entropy: (entropy: string) => `H ${entropy}`,
  distance: (distance: string) => `d ${distance}`,
  key: 'A row of pictures for each layer. H: mean entropy in nats; d: mean distance in tokens.',
  x: 'head, layer by layer',
  y: 'symmetry (1: the same both ways)',
  random: 'random weights',
  level: { entropy: (side: string) => `entropy, ${side}` },
  pictures: (causal: string, both: string, first: string, even: string) =>
    `The causal heads look *${causal}* tokens back on average, the others *${both}* to either side. The first layer of these has an entropy of *${first}*; weights that are all alike have ${even}.`,
  symmetry: (causal: string, both: string, random: string) =>
    `Mean symmetry: *${causal}* with earlier tokens, *${both}* with both sides, ${random} with random weights.`,
  sheetColumns: ['head', 'entropy', 'distance', 'symmetry'],
  columns: ['model', 'layer', 'head', 'entropy', 'distance', 'symmetry'],
  asked: (causal: string, both: string) =>
    `On this sentence: ${causal} nats for each next token, given those before it; ${both} nats for each token by itself, hidden, given all others.`,
  caption: (tokens: number, random: string, deviation: string) =>
    `Two trained models of one shape, two layers of four heads, on ${tokens} tokens. Symmetry (‖M_s‖² − ‖M_a‖²)/‖M‖² of W_QᵀW_K without rotation (Saponati et al. 2025); random weights: ${random} ± ${deviation}.`,
};

const both: EnglishFirst<typeof english> = { en: english };
export const words = orEnglish(both);
