/**
 * SHA-256 (FIPS 180-4). `crypto.subtle` does not exist on a course site without https, and submissions must be
 * written there as well.
 */

const firstPrimes = (count: number): number[] => {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return primes;
};
/** The first 32 bits of the fraction of a number. */
const fraction = (value: number): number => Math.floor((value % 1) * 2 ** 32) | 0;

const PRIMES = firstPrimes(64);
const ROUND = PRIMES.map((p) => fraction(Math.cbrt(p)));
const START = PRIMES.slice(0, 8).map((p) => fraction(Math.sqrt(p)));

const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

/** The hash of the text as UTF-8, in hexadecimal. */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const padded = new Uint8Array(64 * blocks);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor((8 * bytes.length) / 2 ** 32));
  view.setUint32(padded.length - 4, (8 * bytes.length) >>> 0);

  const hash = Int32Array.from(START);
  const w = new Int32Array(64);
  const at = (array: Int32Array, i: number): number => array[i] as number;
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(64 * block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [x, y] = [at(w, i - 15), at(w, i - 2)];
      const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      w[i] = at(w, i - 16) + s0 + at(w, i - 7) + s1;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
    for (let i = 0; i < 64; i++) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[i] as number) + at(w, i)) | 0;
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => {
      hash[i] = at(hash, i) + value;
    });
  }
  return [...hash].map((value) => (value >>> 0).toString(16).padStart(8, '0')).join('');
}
