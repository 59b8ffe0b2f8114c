/** What `npm run call -- <call>` makes of a name, before it builds anything. */
import { expect, it } from 'vitest';
import { declarationOf, testOf } from '../tools/call.mjs';

it('finds the declaration of a call and the tests of its topic', () => {
  expect(declarationOf('quantiles')).toBe('wasm/src/calls/analysis.cpp');
  expect(testOf('quantiles')).toBe('tests/core/analysis/gradient_quantiles_test.cpp');
});

it('finds the tests of a topic that share a file with others', () => {
  expect(testOf('layer_norm')).toMatch(/^tests\/core\/nn\/\w+_test\.cpp$/);
});

it('says what is missing', () => {
  expect(() => declarationOf('no_such_call')).toThrow('no_such_call: no ATTN_CALL');
  expect(() => testOf('no_such_call')).toThrow('no_such_call: no test calls it');
  // A header declares it, so the file that is wanted has a name.
  expect(() => testOf('rotary_table')).toThrow('Wanted: tests/core/mixers/positions_test.cpp');
});
