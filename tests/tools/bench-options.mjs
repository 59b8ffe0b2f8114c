// Reads the options that may follow `npm run bench… --`.
import { isMain, Stop } from '../../wasm/tools/process.mjs';

/** The value after `--name`, if the option is given. */
export function option(name) {
  const at = process.argv.indexOf(`--${name}`);
  if (at < 0) return undefined;
  const value = process.argv[at + 1];
  if (!value || value.startsWith('--')) throw new Stop(`--${name} wants a value`);
  return value;
}

/** The numbers after `--sizes`, if the option is given. */
export function sizesOption() {
  const sizes = option('sizes')?.split(',').map(Number);
  if (sizes?.some((n) => !Number.isInteger(n) || n < 1)) throw new Stop('--sizes wants 64,256,…');
  return sizes;
}

/** The command that repeats a run. Tests call the benchmarks with `quick` and without arguments. */
export function commandLine(script, url, quick) {
  const given = isMain(url) ? process.argv.slice(2).join(' ') : quick ? '--quick' : '';
  return `npm run ${script}${given ? ` -- ${given}` : ''}`;
}
