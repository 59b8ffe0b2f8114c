// Compares the kernels over WebAssembly in Node with the same source natively: with SSE4, which has the same four
// lanes, and with the best set of this machine. Every round takes one sample of each.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildPreset, buildWasm } from '../../wasm/tools/build.mjs';
import { root, Stop } from '../../wasm/tools/process.mjs';
import { cases } from '../bench/peers/cases.mjs';
import { kernelCalls, openKernels } from '../bench/peers/kernel-calls.mjs';
import { hasRelaxedSimd } from '../bench/peers/peak.mjs';
import { buildKernels, kernelsFolder } from './bench-kernels.mjs';
import { pairedRatio, summary } from './bench-statistics.mjs';
import { table } from './table.mjs';

const goal = 1.1;
const sampleMilliseconds = 2;

/** Starts the native program. `run(set, name, times, arguments)` returns the milliseconds of all calls. */
function openNative(n) {
  const program = join(root, 'build/native-release/attn_kernels');
  const child = spawn(program, [String(n)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(set, name, times, rest) {
      child.stdin.write(`${[set, name, times, ...rest].join(' ')}\n`);
      const { value = 'it ended early' } = await lines.next();
      const took = Number(value);
      if (Number.isNaN(took)) throw new Stop(`${program}: ${value}`);
      return took;
    },
    close: () => child.stdin.end(),
  };
}

/** Loads our builds by name. `run(name, times, arguments)` returns milliseconds. */
async function openWasm(n) {
  const found = {};
  for (const build of ['simd', ...(hasRelaxedSimd() ? ['relaxed'] : [])]) {
    const file = join(kernelsFolder, build, 'kernels_bench.wasm');
    if (!existsSync(file)) continue;
    const { core, give } = await openKernels(await WebAssembly.compile(readFileSync(file)), n);
    const { q, k, v, dO } = cases.attention_backward.inputs(n);
    const { projection } = cases.linear_performer.inputs(1);
    give({ q, k, v, dO, projection, ...cases.softmax.inputs(n) });
    found[build] = (name, times, rest) => {
      const start = performance.now();
      core[name](times, ...rest);
      return performance.now() - start;
    };
  }
  return found;
}

/** Finds how many calls make one sample, after some calls that are not counted. */
async function calibrate(run, milliseconds) {
  const end = performance.now() + milliseconds;
  do await run(1);
  while (performance.now() < end);
  const took = await run(1);
  return Math.max(1, Math.ceil(sampleMilliseconds / Math.max(took, 1e-4)));
}

/** Every case at every size: rows of {name, n, narrow: which native set, medians, ratio}. */
export async function measureLanes({ sizes, rounds, warmMilliseconds }) {
  buildPreset('native-release', ['attn_kernels']);
  buildWasm();
  buildKernels();
  const narrow = process.arch === 'x64' ? 'sse4' : 'baseline';
  const rows = [];
  for (const n of sizes) {
    const native = openNative(n);
    const wasm = await openWasm(n);
    try {
      for (const [name, { call }] of Object.entries(kernelCalls)) {
        const [run, rest] = call(n);
        const all = {};
        for (const set of [narrow, 'best']) all[set] = (times) => native.run(set, run, times, rest);
        for (const [build, go] of Object.entries(wasm))
          all[build] = (times) => go(run, times, rest);
        const times = {};
        for (const key of Object.keys(all))
          times[key] = await calibrate(all[key], warmMilliseconds);
        const samples = Object.fromEntries(Object.keys(all).map((key) => [key, []]));
        for (let round = 0; round < rounds; round += 1) {
          const order = Object.keys(all);
          if (round % 2 === 1) order.reverse();
          for (const key of order) samples[key].push((await all[key](times[key])) / times[key]);
        }
        const medians = Object.fromEntries(
          Object.entries(samples).map(([key, values]) => [key, summary(values)]),
        );
        rows.push({ name, n, narrow, medians, ratio: pairedRatio(samples.simd, samples[narrow]) });
      }
    } finally {
      native.close();
    }
  }
  return rows;
}

/** @param quick with two rounds the times say nothing about speed, so none are printed */
export function printLanes(rows, quick) {
  const { narrow, medians: first } = rows[0];
  const keys = Object.keys(first);
  const head = ['kernel', ...keys.map((key) => (key === 'simd' ? 'wasm simd' : key))];
  console.log(
    table(
      [...head, `simd / ${narrow}`, `≤ ${goal}`],
      rows.map(({ name, n, ratio, medians }) => [
        `${name}/${n}`,
        ...keys.map((key) => medians[key].median.toFixed(4)),
        `${ratio.median.toFixed(2)} [${ratio.q1.toFixed(2)}, ${ratio.q3.toFixed(2)}]`,
        quick ? '-' : ratio.median <= goal ? 'met' : 'SHORT',
      ]),
    ),
  );
  console.log('median milliseconds; best: the widest native set; ratio: paired median [quartiles]');
}
