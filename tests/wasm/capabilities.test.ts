import { afterEach, describe, expect, it, vi } from 'vitest';
import { chooseBuild } from '../../wasm/client/capabilities';
import { nearest } from '../../wasm/client/modules';
// The import switches relaxed SIMD on in Node 20.
import './in_process';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Reads the body of the only function of a probe; the probes differ in nothing else. */
const bodyOf = (bytes: unknown): string => (bytes as Uint8Array).slice(-12).join(' ');
const relaxed = ' 253 133 2 11';
const simd = ' 253 15 253 98 11';

const withOnly = (...known: string[]) =>
  vi
    .spyOn(WebAssembly, 'validate')
    .mockImplementation((bytes) => known.some((ending) => bodyOf(bytes).endsWith(ending)));
const exceptions = ' 6 64 25 11 11';

describe('the build of a browser', () => {
  it('is the relaxed one where there is relaxed SIMD', () => {
    expect(chooseBuild()).toBe('relaxed');
  });

  it('is simd where there is no relaxed SIMD, and none without exceptions', () => {
    withOnly(exceptions, simd);
    expect(chooseBuild()).toBe('simd');
    withOnly(exceptions);
    expect(() => chooseBuild()).toThrow(/no WebAssembly SIMD/);
    withOnly(simd, relaxed);
    expect(() => chooseBuild()).toThrow(/no WebAssembly exceptions/);
    vi.stubGlobal('WebAssembly', undefined);
    expect(() => chooseBuild()).toThrow(/no WebAssembly/);
  });

  it.each([
    ['?build=relaxed', 'relaxed'],
    ['?v=1&build=simd&n=4', 'simd'],
    // Older sites had a third build, without SIMD, and links may still name it.
    ['?build=scalar', 'simd'],
    ['?build=fast', 'relaxed'],
  ])('may be made slower in the address: %s', (search, build) => {
    vi.stubGlobal('location', { search });
    expect(chooseBuild()).toBe(build);
  });

  it('is never one that the address asks for and the browser cannot run', () => {
    vi.stubGlobal('location', { search: '?build=relaxed' });
    withOnly(exceptions, simd);
    expect(chooseBuild()).toBe('simd');
  });
});

it('is the next slower one where a site lacks the build that was asked for', () => {
  const glues = (...found: string[]) => ({
    glues: Object.fromEntries(
      found.map((build) => [`../../build/wasm/${build}/start.mjs`, () => Promise.reject()]),
    ),
  });
  expect(nearest(glues('simd', 'relaxed'), 'relaxed')).toBe('relaxed');
  expect(nearest(glues('simd'), 'relaxed')).toBe('simd');
  expect(nearest(glues('relaxed', 'simd'), 'simd')).toBe('simd');
});
