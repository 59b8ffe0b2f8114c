import { CoreError } from './errors';
import { say } from './phrases';
import { type Build, builds } from './protocol';

// (module (func (param v128) (result v128)
//   (f32x4.relaxed_madd (local.get 0) (local.get 0) (local.get 0))))
const relaxedProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 123, 1, 123, 3, 2, 1, 0, 10, 13, 1, 11, 0, 32, 0, 32,
  0, 32, 0, 253, 133, 2, 11,
]);

// (module (func (result v128) (i8x16.popcnt (i8x16.splat (i32.const 0)))))
const simdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
]);
// (module (func (try (do) (catch_all))))
const exceptionsProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11,
]);

/** Where in `builds` stands what `?build=simd` in the page's address asks for; −1 when nothing does. */
function askedFor(): number {
  const asked = new URLSearchParams(globalThis.location?.search).get('build');
  // Links of older sites may ask for a build without SIMD.
  return builds.indexOf(asked === 'scalar' ? 'simd' : (asked as Build));
}

/** Whether this browser knows the instructions of a build. */
export const canRun = (build: Build): boolean =>
  WebAssembly.validate(build === 'relaxed' ? relaxedProbe : simdProbe);

/**
 * The fastest binary that this browser can run, or a slower one that the page's address asks for.
 * @throws CoreError (`load`) when it can run none.
 */
export function chooseBuild(): Build {
  if (typeof WebAssembly !== 'object') {
    throw new CoreError('load', say('no_webassembly'));
  }
  if (!WebAssembly.validate(exceptionsProbe)) {
    throw new CoreError('load', say('no_exceptions'));
  }
  const fastest = builds.findIndex(canRun);
  const build = builds[Math.max(fastest, askedFor())];
  if (fastest < 0 || !build) {
    throw new CoreError('load', say('no_simd'));
  }
  return build;
}

/** What the choice depends on, and whether this browser has it. */
export function probes(): Readonly<Record<string, boolean>> {
  if (typeof WebAssembly !== 'object') return { exceptions: false, simd: false, relaxed: false };
  return {
    exceptions: WebAssembly.validate(exceptionsProbe),
    simd: canRun('simd'),
    relaxed: canRun('relaxed'),
  };
}
