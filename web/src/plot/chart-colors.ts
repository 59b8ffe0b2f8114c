/** Colours of charts. They are written into the drawing itself, so that a file needs no style sheet. */

export interface Paint {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly rule: string;
  readonly accent: string;
}

export const paints: Readonly<Record<'light' | 'dark', Paint>> = {
  light: { paper: '#fcfbf8', ink: '#1e1d1a', muted: '#5f5b53', rule: '#e2ded5', accent: '#0d5c75' },
  dark: { paper: '#17171a', ink: '#e9e7e1', muted: '#a9a59c', rule: '#33333a', accent: '#6fc3dc' },
};

/**
 * Colours that can be distinguished with any kind of colour vision, each with a contrast of at least 3 : 1 on its
 * background (Okabe, Ito).
 */
export const seriesColors: Readonly<Record<'light' | 'dark', readonly string[]>> = {
  light: ['#1e1d1a', '#a63f00', '#6b6459', '#0067a5', '#007a5a', '#a5407c', '#8a6a00'],
  dark: ['#e9e7e1', '#ff9b57', '#a9a59c', '#6db7f2', '#41c79c', '#e691c0', '#e0bd4a'],
};
