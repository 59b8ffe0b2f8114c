/**
 * What the course text says of four maps. None of it is ours; it stands beside what is measured.
 * Source: lab-03-feature-maps.md, "Feature Map Comparison" and "Expected Behavior".
 */
export interface Quoted {
  readonly positivity: string;
  /** Stars, of five. */
  readonly softmax: number;
  readonly speed: number;
  readonly stability: number;
  /** The formula as it is printed. */
  readonly mse?: string;
  readonly correlation?: string;
}

export const quoted: Readonly<Record<string, Quoted>> = {
  elu_plus_one: {
    positivity: '✓ Always',
    softmax: 2,
    speed: 5,
    stability: 4,
    mse: '0.0823',
    correlation: '0.712',
  },
  relu: {
    positivity: 'Partial',
    softmax: 1,
    speed: 5,
    stability: 3,
    mse: '0.1245',
    correlation: '0.534',
  },
  squared_relu: {
    positivity: '✓ Always',
    softmax: 2,
    speed: 4,
    stability: 4,
    mse: '0.0912',
    correlation: '0.689',
  },
  softmax_kernel: { positivity: '✓ Always', softmax: 4, speed: 2, stability: 3 },
};

/** The names of its columns of stars. */
export const graded = {
  softmax: 'Softmax Approx',
  speed: 'Speed',
  stability: 'Stability',
} as const;

export const stars = (count: number): string => '★'.repeat(count);
