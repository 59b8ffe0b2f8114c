// Builds a foreign project that takes the core with add_subdirectory, and checks what the core passes on to it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captureAsync, root } from '../../wasm/tools/process.mjs';
import { compiler } from '../../wasm/tools/setup.mjs';

// The source has warnings that are errors in our own build, and the project sets no flags.
const project = `cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
add_subdirectory(${root} attn)
add_library(consumer OBJECT consumer.cpp)
target_link_libraries(consumer PRIVATE attn)
`;
const source = `#include "attn/attention/attention.hpp"
int narrowed(double x) {
  int unused = 0;
  int x_ = x;
  return x_;
}
attn::Index rows(const attn::Matrix<>& x) { return attn::attention(x, x, x).output.rows(); }
`;

/** Configures the project and compiles its one source; {passed, failed} counts the checks. */
export async function consumer() {
  const folder = mkdtempSync(join(tmpdir(), 'attn-consumer-'));
  const counts = { passed: 0, failed: 0 };
  const ask = (what, holds, out = '') => {
    counts[holds ? 'passed' : 'failed'] += 1;
    if (!holds) console.log(`FAILED: ${what}\n${out}`);
  };
  try {
    writeFileSync(join(folder, 'CMakeLists.txt'), project);
    writeFileSync(join(folder, 'consumer.cpp'), source);
    const build = join(folder, 'build');
    mkdirSync(build);
    const env = { CXX: compiler() };
    const cmake = (...args) => captureAsync('cmake', args, { cwd: folder, env });
    const configured = await cmake('-S', folder, '-B', build, '-G', 'Ninja');
    ask('a project configures with the core in it', configured.code === 0, configured.out);
    const made = await cmake('--build', build, '--target', 'consumer');
    ask('its warnings are no errors', made.code === 0, made.out);
    ask('our warnings are not asked for', !/warning:/.test(made.out), made.out);
    const { out } = await cmake('--build', build, '--target', 'help');
    ask('the core is among the targets', /\battn:/.test(out), out);
    ask('tests and modules are not', !/attn_(tests|machine|golden|bench)/.test(out), out);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return counts;
}
