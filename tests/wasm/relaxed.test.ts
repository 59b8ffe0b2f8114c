import { describe, expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript, run by CMake too.
import { standardise } from '../../wasm/tools/relaxed.mjs';

const relaxedAdd = { proposed: [0xfd, 0xaf, 0x01], standard: [0xfd, 0x85, 0x02] };

/** (module (func (param v128) (result v128) …)), one byte for each size. */
function module(...body: number[]): Uint8Array {
  const code = [0, ...body, 0x0b];
  const type = [1, 6, 1, 0x60, 1, 0x7b, 1, 0x7b];
  const section = [1, code.length, ...code];
  return Uint8Array.of(
    0,
    97,
    115,
    109,
    1,
    0,
    0,
    0,
    ...type,
    3,
    2,
    1,
    0,
    10,
    section.length,
    ...section,
  );
}

const threeTimes = [0x20, 0, 0x20, 0, 0x20, 0];

describe('the opcode of the proposal', () => {
  it('becomes that of the standard, and no byte moves', () => {
    const bytes = module(...threeTimes, ...relaxedAdd.proposed);
    expect(standardise(bytes)).toBe(1);
    expect([...bytes]).toEqual([...module(...threeTimes, ...relaxedAdd.standard)]);
    expect(standardise(bytes)).toBe(0);
  });

  it('is distinguished from the same bytes in a constant, a shuffle and an address', () => {
    const same = relaxedAdd.proposed;
    const sixteen = [...same, ...same, ...same, ...same, ...same, 0];
    const bytes = module(
      // v128.const, drop
      ...[0xfd, 12, ...sixteen, 0x1a],
      // i64.const −80, f64.const, drop
      ...[0x42, 0xfd, 0xaf, 0x01, 0x1a, 0x44, ...same, ...same, 0, 0, 0x1a],
      // i32.const 0, v128.load8_lane at an offset, drop
      ...[0x41, 0, 0x20, 0, 0xfd, 84, 0, 0xfd, 0xaf, 0x01, 3, 0x1a],
      // i8x16.shuffle, drop
      ...[0x20, 0, 0x20, 0, 0xfd, 13, ...sixteen, 0x1a],
      // block, br_table 0 0 0, end
      ...[0x02, 0x40, 0x41, 0, 0x0e, 2, 0, 0, 0, 0x0b],
      ...threeTimes,
      ...same,
    );
    const before = [...bytes];
    expect(standardise(bytes)).toBe(1);
    const changed = before.flatMap((byte, i) => (byte === bytes[i] ? [] : [i]));
    expect(changed).toEqual([bytes.length - 3, bytes.length - 2]);
  });

  it('is not searched in a module that cannot be read', () => {
    expect(() => standardise(module(0xfe, 0x00))).toThrow(/unknown opcode 254/);
    expect(() => standardise(module(0xfd, 0x80, 0x02))).toThrow(/unknown SIMD opcode 256/);
    expect(() => standardise(module(0xfd, 12))).toThrow(/another end/);
  });
});
