/**
 * The words of the opening figure. They belong to the first load; what the first picture says has no character that
 * would fetch a second file of the sans-serif font (`INTERFACE` in web/plugins/fonts.ts).
 */
import { orEnglish } from '../../../src/strings/language.ts';

export const words = orEnglish({
  en: {
    heading: 'Paint a pattern',
    picture: (n: number, row: number) =>
      `Which of ${n} tokens sees which: rows see, columns are seen. Row ${row} is the query whose text is marked.`,
    brush: 'Brush',
    brushes: {
      window: 'window',
      stride: 'stride',
      blocks: 'blocks',
      random: 'random',
      sinks: 'sinks',
      powers: 'powers of two',
      dilated: 'dilated',
      pen: 'pen, cell by cell',
    },
    pattern: 'Painted',
    strokes: {
      window: 'window of',
      stride: 'stride of',
      blocks: 'blocks of',
      random: 'random keys',
      sinks: 'first tokens',
      powers: 'powers of two',
      dilated: 'every so many',
    },
    clear: 'Remove all',
    help: 'Drag on the triangle: the brush grows to the cell under the pointer. With the keyboard: set the sizes below.',
    layers: 'layers',
    n: 'tokens',
    row: 'query that the text is seen from',
    text: 'Your text',
    seen: 'seen',
    after: (layers: number) => `after ${layers} layers`,
    never: 'not yet',
    unread: (parts: string) => `These strokes of the link cannot be read: ${parts}.`,
    arriving:
      'Full causal attention: every token sees all before it. What counts patterns is on its way.',
    line: (
      kept: string,
      share: string,
      layers: number,
      reach: string,
      work: string,
      memory: string,
    ) =>
      `The pattern keeps *${kept} cells*, ${share} of the causal ones; after ${layers === 1 ? 'one layer' : `${layers} layers`} news has come through *${reach} of the pairs*. Work: ${work} of full causal attention; weights and lists: ${memory}.`,
    numbers: {
      kept: 'cells kept',
      reach: 'pairs connected',
      work: 'multiply-adds',
      memory: 'memory of weights and lists',
      connect: 'layers until all are connected',
    },
    neverAll: 'never, however many',
    columns: ['layers', 'share of pairs connected'],
    byLayer: 'Pairs connected after so many layers',
    caption: (n: number, pattern: string, layers: number, seed: number, d: number) =>
      `${n} tokens, pattern “${pattern || 'nothing'}”, ${layers} layers, seed ${seed}; work and memory as counted in a run with d = ${d}. News also stays where it is, on the residual stream.`,
  },
});

/** Moby-Dick, chapter 1, as the visitor's text until there is another. */
export const firstText =
  'Call me Ishmael. Some years ago, never mind how long precisely, having little or no money in my purse, and nothing particular to interest me on shore, I thought I would sail about a little and see the watery part of the world. It is a way I have of driving off the spleen, and regulating the circulation. Whenever I find myself growing grim about the mouth.';
