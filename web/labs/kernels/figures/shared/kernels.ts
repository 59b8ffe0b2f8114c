/** The kernels that the figures offer, as choices for the core. */
import type { KernelChoice } from '#client';

export const offered = {
  rbf: { id: 'rbf', parameters: { gamma: 1 } },
  linear: { id: 'linear' },
  polynomial: { id: 'polynomial', parameters: { gamma: 1, degree: 2 } },
  laplacian: { id: 'laplacian', parameters: { gamma: 1 } },
  exponential: { id: 'exponential', parameters: { scale: 1 } },
  ntk: { id: 'ntk', parameters: { layers: 2 } },
  sigmoid: { id: 'sigmoid', parameters: { gamma: 1, coef0: 0 } },
  elu: { id: 'elu_dot' },
  sum: { id: 'rbf', parameters: { gamma: 1 }, steps: [{ operation: 'plus', id: 'linear' }] },
  product: { id: 'rbf', parameters: { gamma: 1 }, steps: [{ operation: 'times', id: 'linear' }] },
  difference: {
    id: 'rbf',
    parameters: { gamma: 1 },
    steps: [
      { operation: 'scale', factor: -1 },
      { operation: 'plus', id: 'rbf', parameters: { gamma: 2 } },
    ],
  },
} as const satisfies Record<string, KernelChoice>;

export type Offered = keyof typeof offered;
export const offeredIds = Object.keys(offered) as readonly Offered[];
