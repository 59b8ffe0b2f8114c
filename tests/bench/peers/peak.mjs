// The roof: a wasm loop of nothing but vector multiply-adds in registers, assembled here so that no
// compiler can make it better or worse.

const leb = (value) => {
  const bytes = [];
  let rest = value;
  do {
    bytes.push((rest & 127) | (rest > 127 ? 128 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return bytes;
};
const sized = (bytes) => [...leb(bytes.length), ...bytes];
const section = (id, bytes) => [id, ...sized(bytes)];
const simd = (code) => [0xfd, ...leb(code)];
const float = (value) => [...new Uint8Array(new Float32Array([value]).buffer)];
const f32x4 = { splat: 0x13, extract: 0x1f, add: 0xe4, mul: 0xe6, madd: 0x105 };

/**
 * peak(times): `accumulators` vectors x, each x = x·c + d, `times` times over. With `fused` by
 * relaxed-SIMD's multiply-add, else by a product and a sum.
 */
function peakModule(accumulators, fused) {
  const get = (i) => [0x20, ...leb(i)];
  const set = (i) => [0x21, ...leb(i)];
  // Local 0 counts; 1 and 2 are c and d; the accumulators follow.
  const constant = (i, value) => [0x43, ...float(value), ...simd(f32x4.splat), ...set(i)];
  const first = 3;
  const each = (make) => Array.from({ length: accumulators }, (_, i) => make(first + i)).flat();
  const step = (x) =>
    fused
      ? [...get(x), ...get(1), ...get(2), ...simd(f32x4.madd), ...set(x)]
      : [...get(x), ...get(1), ...simd(f32x4.mul), ...get(2), ...simd(f32x4.add), ...set(x)];
  const code = [
    ...constant(1, 0.999),
    ...constant(2, 0.001),
    ...each((x) => constant(x, x)),
    ...[0x03, 0x40],
    ...each(step),
    // times -= 1; again while it is not 0
    ...[...get(0), 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b],
    ...get(first),
    ...Array.from({ length: accumulators - 1 }, (_, i) => [
      ...get(first + 1 + i),
      ...simd(f32x4.add),
    ]).flat(),
    ...[...simd(f32x4.extract), 0, 0x0b],
  ];
  const body = [1, ...leb(2 + accumulators), 0x7b, ...code];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 1, 0x7f, 1, 0x7d]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...sized([...new TextEncoder().encode('peak')]), 0, 0]),
    ...section(10, [1, ...sized(body)]),
  ]);
}

/** Whether this browser has relaxed SIMD. */
export const hasRelaxedSimd = () => WebAssembly.validate(peakModule(2, true));

const times = 4000;

/**
 * The loop with the number of accumulators that is fastest here: latency asks for many, the
 * register file for few.
 */
async function fastest(fused) {
  let best;
  for (const accumulators of [8, 10, 11, 12, 13]) {
    const { instance } = await WebAssembly.instantiate(peakModule(accumulators, fused));
    const { peak } = instance.exports;
    // V8 takes up better code only between calls.
    for (const end = performance.now() + 200; performance.now() < end; ) peak(times);
    let least = Infinity;
    for (let round = 0; round < 20; round += 1) {
      const start = performance.now();
      for (let i = 0; i < 20; i += 1) peak(times);
      least = Math.min(least, (performance.now() - start) / 20 / accumulators);
    }
    if (!best || least < best.least) best = { least, accumulators, peak };
  }
  return best;
}

/** The roof with and without fused multiply-adds, as contenders: {name, multiplyAdds, run}. */
export async function peaks() {
  const kinds = [['mul+add', false], ...(hasRelaxedSimd() ? [['FMA', true]] : [])];
  const found = [];
  for (const [name, fused] of kinds) {
    const { accumulators, peak } = await fastest(fused);
    found.push({
      name,
      accumulators,
      multiplyAdds: 4 * accumulators * times,
      run: () => peak(times),
    });
  }
  return found;
}
