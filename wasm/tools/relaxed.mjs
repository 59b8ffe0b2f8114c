// Gives a module of Emscripten older than 3.1.46 the standard's relaxed SIMD.
//
//   node wasm/tools/relaxed.mjs start.wasm     rewrites the file
//
// Its compiler and its optimiser know `f32x4.relaxed_madd` by the opcode that it had in the proposal,
// 0xaf, which the standard took away again; it became 0x105. Both are written in two bytes, so that
// nothing moves.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMain, main, Stop } from './process.mjs';

const proposed = 0xaf;
const standard = 0x105;

// How many integers in LEB128 follow an opcode; those that are missing here have none.
const integers = { 68: 0, 67: 0, 17: 2, 19: 2, 208: 1, 210: 1 };
for (const opcode of [0x02, 0x03, 0x04, 0x06, 0x07, 0x08, 0x09, 0x0c, 0x0d, 0x10, 0x12, 0x18]) {
  integers[opcode] = 1;
}
for (let opcode = 0x20; opcode <= 0x26; opcode++) integers[opcode] = 1;
for (let opcode = 0x28; opcode <= 0x3e; opcode++) integers[opcode] = 2;
for (const opcode of [0x3f, 0x40, 0x41, 0x42]) integers[opcode] = 1;
const integersOfBulkMemory = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1];

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  integer() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++];
      // Sizes and opcodes fit in 32 bits; of a longer constant only the length matters.
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  integers(count) {
    for (let i = 0; i < count; i++) this.integer();
  }

  /** Skips one instruction; where its opcode after 0xfd stands and what it is, when it is of SIMD. */
  instruction() {
    const opcode = this.bytes[this.at++];
    if (opcode === 0x0e) this.integers(this.integer() + 1);
    else if (opcode === 0x1c) this.at += this.integer();
    else if (opcode === 0x43) this.at += 4;
    else if (opcode === 0x44) this.at += 8;
    else if (opcode === 0xfc) this.integers(integersOfBulkMemory[this.integer()]);
    else if (opcode === 0xfd) return this.simd();
    else if (opcode > 0xfc) throw new Stop(`relaxed: unknown opcode ${opcode}`);
    else this.integers(integers[opcode] ?? 0);
    return undefined;
  }

  simd() {
    const place = this.at;
    const opcode = this.integer();
    const lane = opcode >= 84 && opcode <= 91;
    if (opcode <= 11 || lane || opcode === 92 || opcode === 93) this.integers(2);
    if (opcode === 12 || opcode === 13) this.at += 16;
    if ((opcode >= 21 && opcode <= 34) || lane) this.at += 1;
    return { place, opcode };
  }
}

/** Rewrites the bytes of a module in place; how many instructions it was. */
export function standardise(bytes) {
  const module = new Reader(bytes);
  let rewritten = 0;
  module.at = 8;
  while (module.at < bytes.length) {
    const section = bytes[module.at++];
    const end = module.integer() + module.at;
    if (section === 10) rewritten += standardiseCode(module);
    if (section === 10 && module.at !== end) throw new Stop('relaxed: the code has another end');
    module.at = end;
  }
  return rewritten;
}

function standardiseCode(module) {
  const { bytes } = module;
  let rewritten = 0;
  for (let functions = module.integer(); functions > 0; functions--) {
    const end = module.integer() + module.at;
    for (let locals = module.integer(); locals > 0; locals--) module.integers(2);
    while (module.at < end) {
      const found = module.instruction();
      if (found?.opcode === proposed) {
        bytes[found.place] = (standard & 0x7f) | 0x80;
        bytes[found.place + 1] = standard >> 7;
        rewritten++;
      } else if (found && found.opcode > 0xff && found.opcode !== standard) {
        throw new Stop(`relaxed: unknown SIMD opcode ${found.opcode}`);
      }
    }
    if (module.at !== end) throw new Stop('relaxed: a function has another end');
  }
  return rewritten;
}

/** Rewrites a file. */
export function standardiseFile(file) {
  const bytes = readFileSync(file);
  if (standardise(bytes) === 0) throw new Stop(`relaxed: ${file} has no relaxed instruction`);
  writeFileSync(file, bytes);
}

if (isMain(import.meta.url)) {
  await main(() => standardiseFile(process.argv[2]));
}
