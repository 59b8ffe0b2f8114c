/** The launcher of links takes what the same link made before, and links whenever anything that goes into it changed. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it, onTestFinished } from 'vitest';

const launcher = fileURLToPath(new URL('../../wasm/tools/link-cache.mjs', import.meta.url));

/** Stands for em++: puts its object into both files of a module, notes that it ran, and fails for an object "broken". */
const linker = `#!/usr/bin/env node
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const [object, option, , output] = process.argv.slice(2);
if (object === '-v') {
  console.log(readFileSync('version', 'utf8'));
} else {
  appendFileSync('ran', 'x');
  const text = readFileSync(object, 'utf8');
  if (text === 'broken') process.exit(3);
  writeFileSync(output, option + text);
  writeFileSync(output.replace('.mjs', '.wasm'), 'wasm of ' + text);
}
`;

let folder: string;
const path = (name: string): string => join(folder, name);
const write = (name: string, text: string): void => writeFileSync(path(name), text);
const read = (name: string): string => readFileSync(path(name), 'utf8');

function link(option = '-O1', environment: Record<string, string> = {}): number | null {
  const command = [path('linker.cjs'), 'a.o', option, '-o', 'out.mjs'];
  const env = { ...process.env, CCACHE_DIR: path('cache'), CCACHE_DISABLE: '', ...environment };
  return spawnSync(process.execPath, [launcher, ...command], { cwd: folder, env }).status;
}
const links = (): number => read('ran').length;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'link-cache-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  write('linker.cjs', linker);
  chmodSync(path('linker.cjs'), 0o755);
  write('version', '1');
  write('ran', '');
  write('a.o', 'one');
  expect(link()).toBe(0);
});

it('gives both files of a link back without linking', () => {
  for (const name of ['out.mjs', 'out.wasm']) write(name, 'of another link');
  expect(link()).toBe(0);
  expect([read('out.mjs'), read('out.wasm'), links()]).toEqual(['-O1one', 'wasm of one', 1]);
});

it('links again for another object, option, environment and compiler, and knows each of them after that', () => {
  write('a.o', 'two');
  link();
  expect(read('out.mjs')).toBe('-O1two');
  link('-O2');
  link('-O2', { EMCC_CFLAGS: '-g' });
  write('version', '2');
  link('-O2');
  expect(links()).toBe(5);
  write('version', '1');
  link('-O2');
  link();
  write('a.o', 'one');
  link();
  expect([read('out.mjs'), links()]).toEqual(['-O1one', 5]);
});

it('passes a failure on, and keeps nothing of it', () => {
  write('a.o', 'broken');
  expect([link(), link(), links()]).toEqual([3, 3, 3]);
});

it('links where nothing can be kept', () => {
  write('file', '');
  write('a.o', 'two');
  expect(link('-O1', { CCACHE_DIR: path('file') })).toBe(0);
  expect([read('out.mjs'), read('out.wasm'), links()]).toEqual(['-O1two', 'wasm of two', 2]);
  for (const off of [{ CCACHE_DISABLE: '1' }, { ATTN_LINK_CACHE: '0' }]) link('-O1', off);
  expect(links()).toBe(4);
});

it('keeps as many links as it is told, those that were used last', () => {
  const few = { ATTN_LINK_CACHE: '2' };
  for (const text of ['two', 'three']) {
    write('a.o', text);
    link('-O1', few);
  }
  // "two" is still there, and "one", which was used longest ago, is not.
  write('a.o', 'two');
  link('-O1', few);
  expect(links()).toBe(3);
  write('a.o', 'one');
  link('-O1', few);
  expect(links()).toBe(4);
});
