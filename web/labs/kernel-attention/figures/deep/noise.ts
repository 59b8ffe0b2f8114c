/** Few points of noise and many weights: what the question about overfitting asks for. */
export const NOISE = { data: 'nothing', n: 12, noise: 0.5, hidden: 128, steps: 600 } as const;
