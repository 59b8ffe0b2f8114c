import { RandomCalls } from '../../../build/wasm/client/arrays';
import type { Handle } from './boundary';

/**
 * NumPy's legacy generator, the one behind `np.random.seed`: MT19937, the same numbers in the same
 * order as NumPy 1.24. Sizes are shapes; `[]` makes an array of rank 0. Results are handles.
 */
export class RandomState extends RandomCalls {
  randn(size: readonly number[]): Handle {
    return this.normal(0, 1, size);
  }
}

/** NumPy's `default_rng(seed)`: PCG64, the same numbers in the same order as NumPy 1.24. */
export class Generator extends RandomState {
  /** Integers, low ≤ i < high. */
  integers(low: number, high: number, size: readonly number[]): Handle {
    return this.randint(low, high, size);
  }
  /** `standard_normal`. */
  standardNormal(size: readonly number[]): Handle {
    return this.randn(size);
  }
}
