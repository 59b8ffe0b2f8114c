import { afterEach, expect, it, vi } from 'vitest';
import { chooseBuild } from '../../wasm/client/capabilities';

afterEach(() => vi.restoreAllMocks());

it('takes SIMD where there is SIMD', () => {
  expect(chooseBuild()).toBe('simd');
});

it('falls back to the scalar build, and refuses browsers without exceptions by name', () => {
  const validate = vi.spyOn(WebAssembly, 'validate');
  // The two probes differ in length: SIMD's is the longer one.
  validate.mockImplementation((bytes) => (bytes as Uint8Array).length < 30);
  expect(chooseBuild()).toBe('scalar');
  validate.mockReturnValue(false);
  expect(() => chooseBuild()).toThrow(/no WebAssembly exceptions/);
});

it('refuses a browser without WebAssembly', () => {
  vi.stubGlobal('WebAssembly', undefined);
  expect(() => chooseBuild()).toThrow(/no WebAssembly/);
  vi.unstubAllGlobals();
});
