/**
 * Based, as its authors measured it: bytes of state and accuracy, the mean of the seven test sets of Zoology's
 * `arxiv24_based_figure2` (Arora et al. 2024, arXiv:2402.18668), read off the plot of the repository. Their task has
 * 8,192 tokens and up to 256 pairs, so that the numbers compare in shape and not in height.
 */
export const PAPER_BASED: readonly (readonly [bytes: number, accuracy: number])[] = [
  [9396, 0.67],
  [12468, 0.72],
  [24756, 0.84],
  [30564, 0.84],
  [40548, 0.91],
  [64276, 0.86],
  [80484, 0.985],
  [85268, 0.97],
  [169236, 0.99],
];
