// Programs of others that the tests try what they embed with, and that would bring a hundred packages where one of
// their files is enough.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { must, root } from '../../wasm/tools/process.mjs';

/** Jupyter's own widget manager for pages, as one script. Its package asks for 138 others (131 MB); these are in it. */
const MANAGER = {
  name: '@jupyter-widgets/html-manager@1.0.15',
  integrity:
    'sha512-5thBIV6ymNgmPVOHvzx+gGy8ZSKmSazhtGw4/c4xJDVzRhG9PTeQsRjF3FUTopvFi//SABeNz1yp47bCrJ3CQA==',
  file: 'package/dist/embed-amd.js',
};

/** The path of that script, which is fetched once (5 MB) and kept below build/. */
export function widgetManager() {
  const { name, integrity, file } = MANAGER;
  const folder = join(root, 'build/counterparts', name.replaceAll('/', '-'));
  const script = join(folder, file);
  if (existsSync(script)) return script;
  const making = `${folder}.${process.pid}`;
  mkdirSync(making, { recursive: true });
  const packed = must(
    'npm',
    ['pack', name, '--silent', '--pack-destination', making],
    `npm pack ${name} failed: see its message above.`,
  );
  const archive = join(making, packed.stdout.trim().split('\n').at(-1));
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (found !== integrity) throw new Error(`${name} is not what it was: ${found}`);
  must('tar', ['-xzf', archive, '-C', making, file], `${name} has no ${file}`);
  rmSync(archive);
  mkdirSync(dirname(folder), { recursive: true });
  rmSync(folder, { recursive: true, force: true });
  renameSync(making, folder);
  return script;
}
