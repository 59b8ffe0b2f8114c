// The kernels alone, in Node or in Chromium: GF/s and the share of the machine's limit, which is a
// loop of multiplications and additions on registers, measured in the same run.
//
//   node tests/bench/kernels.mjs build/…/kernels_bench.wasm [--chromium] [--quick] [--only REGEX]
//
// Every round runs each case once, next to the limit; the best round of each counts. On a busy
// machine the minimum is what is left when nobody else ran.
import { readFileSync } from 'node:fs';
import { isMain, main, Stop } from '../../wasm/tools/process.mjs';
import { launchChromium } from '../tools/chromium.mjs';
import { table } from '../tools/table.mjs';

/** Runs in Node and, as text, in a page. */
async function measure(bytes, { rounds, only }) {
  const module = await WebAssembly.compile(bytes);
  const none = new Proxy({}, { get: () => () => 0 });
  const imports = new Proxy({}, { get: () => none });
  const { exports: core } = await WebAssembly.instantiate(module, imports);
  core._initialize?.();
  const most = 2048;
  core.prepare(most, 64, 64, 160);
  const matrix = (which, size) => new Float32Array(core.memory.buffer, core.address(which), size);
  let state = 1;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  const gaussian = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  for (const which of [0, 1, 2, 3])
    matrix(which, most * 64).forEach((_, i, x) => (x[i] = gaussian()));
  matrix(7, 160 * 64).forEach((_, i, x) => (x[i] = gaussian() / 64 ** 0.25));

  const sizes = [16, 32, 64, 128, 256, 512, 1024, 2048];
  const lanes = core.lanes();
  // name, multiply-adds, one run
  const cases = [];
  const add = (name, n, work, run) => cases.push({ name: `${name} ${n}`, work, run });
  for (const n of sizes) {
    const square = n * n;
    const half = (n * (n + 1)) / 2;
    add('gemm', n, square * 64, (t) => core.gemm(t, n, 64));
    add('softmax', n, 0, (t) => core.softmax(t, n));
    add('attention', n, square * 128, (t) => core.attention(t, n, 64, 64, 0, 0, 0.125));
    add('attention sharp', n, square * 128, (t) => core.attention(t, n, 64, 64, 0, 0, 3.75));
    add('attention weights', n, square * 128, (t) => core.attention(t, n, 64, 64, 1, 0, 0.125));
    add('attention causal', n, half * 128, (t) => core.attention(t, n, 64, 64, 0, 1, 0.125));
    add('backward', n, square * 320, (t) => core.attention_backward(t, n, 64, 0, 0.125));
    add('backward causal', n, half * 320, (t) => core.attention_backward(t, n, 64, 1, 0.125));
    add('elu', n, n * 64 * 128, (t) => core.linear(t, n, 64, 64, 64, 1, 1, 0));
    add('elu causal', n, n * 64 * 128, (t) => core.linear(t, n, 64, 64, 64, 1, 1, 1));
    add('taylor', n, n * 64 * 306, (t) => core.linear(t, n, 16, 64, 153, 6, 0.5, 0));
    add('taylor causal', n, n * 64 * 306, (t) => core.linear(t, n, 16, 64, 153, 6, 0.5, 1));
    add('performer', n, n * 64 * 512, (t) => core.performer(t, n, 64, 64, 128));
  }
  add('attention d_v 17', 513, 513 * 513 * 80, (t) => core.attention(t, 513, 63, 17, 0, 0, 0.125));
  add('attention d_v 16', 512, 512 * 512 * 80, (t) => core.attention(t, 512, 64, 16, 0, 0, 0.125));
  add('gemm odd', 513, 513 * 513 * 63, (t) => core.gemm(t, 513, 63));

  const chosen = cases.filter(({ name }) => !only || new RegExp(only).test(name));
  const time = (run, times) => {
    const start = performance.now();
    run(times);
    return (performance.now() - start) / times;
  };
  const limit = { best: Infinity, times: 1 };
  for (const one of [{ run: (t) => core.peak(t * 1000) }, ...chosen]) {
    // The compiler is asked first, and a round of a case takes about two milliseconds.
    const start = performance.now();
    let calls = 0;
    while (performance.now() - start < 40) one.run(1), calls++;
    one.times = Math.max(1, Math.round((2 * calls) / 40));
    one.best = Infinity;
    if (!one.name) Object.assign(limit, one);
  }
  for (let round = 0; round < rounds; ++round) {
    for (const one of chosen) {
      limit.best = Math.min(limit.best, time(limit.run, limit.times));
      one.best = Math.min(one.best, time(one.run, one.times));
    }
  }
  const gigaflops = (2e-6 * 12 * lanes * 1000) / limit.best;
  return {
    lanes,
    limit: gigaflops,
    cases: chosen.map(({ name, work, best }) => ({
      name,
      milliseconds: best,
      gigaflops: (2e-6 * work) / best,
      share: (2e-6 * work) / best / gigaflops,
    })),
  };
}

async function inChromium(bytes, options) {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    // Only an isolated page has a clock of 5 µs.
    const headers = {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    };
    await page.route('http://localhost/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html>', headers }),
    );
    await page.goto('http://localhost/');
    const source = `(${measure})(Uint8Array.from(atob('${Buffer.from(bytes).toString('base64')}'),
      (c) => c.charCodeAt(0)), ${JSON.stringify(options)})`;
    return await page.evaluate(source);
  } finally {
    await browser.close();
  }
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const args = process.argv.slice(2);
    const value = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
    const file = args[0];
    if (!file) throw new Stop('which .wasm?');
    const options = {
      rounds: args.includes('--quick') ? 1 : Number(value('--rounds') ?? 40),
      only: value('--only'),
    };
    const run = args.includes('--chromium') ? inChromium : measure;
    const { lanes, limit, cases } = await run(readFileSync(file), options);
    console.log(`${lanes} lanes; limit ${limit.toFixed(1)} GF/s`);
    console.log(
      table(
        ['case', 'ms', 'GF/s', '% of limit'],
        cases.map((one) => [
          one.name,
          one.milliseconds.toFixed(4),
          one.gigaflops.toFixed(1),
          (100 * one.share).toFixed(0),
        ]),
      ),
    );
  });
}
