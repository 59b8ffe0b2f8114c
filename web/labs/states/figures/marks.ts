/** The marks of a chart's series, one after the other. */
export const MARKS = ['circle', 'square', 'triangle', 'diamond', 'cross', 'plus'] as const;
