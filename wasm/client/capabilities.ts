import { CoreError } from './errors';
import type { Build } from './protocol';

// (module (func (result v128) (i8x16.popcnt (i8x16.splat (i32.const 0)))))
const simdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
]);
// (module (func (try (do) (catch_all))))
const exceptionsProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11,
]);

/**
 * Which binary this browser can run.
 * @throws CoreError (`load`) when it can run neither.
 */
export function chooseBuild(): Build {
  if (typeof WebAssembly !== 'object') {
    throw new CoreError('load', 'this browser has no WebAssembly');
  }
  if (!WebAssembly.validate(exceptionsProbe)) {
    throw new CoreError(
      'load',
      'this browser is too old: it has no WebAssembly exceptions (Chrome 95, Firefox 100, Safari 15.2 and newer do)',
    );
  }
  return WebAssembly.validate(simdProbe) ? 'simd' : 'scalar';
}

/** What the choice depends on, and whether this browser has it. */
export const probes = (): Readonly<Record<string, boolean>> => ({
  exceptions: WebAssembly.validate(exceptionsProbe),
  simd: WebAssembly.validate(simdProbe),
});
