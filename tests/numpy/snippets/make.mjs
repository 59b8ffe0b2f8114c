// Writes expected.json: what real Python, NumPy and PyTorch print for the snippets of the course texts.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPython } from '../../tools/python-parts.mjs';
import { cases, script } from './cases.mjs';

const read = (name) => readFileSync(new URL(`${name}.py`, import.meta.url), 'utf8');
const { modules } = await openPython();
const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, `${name}.py`), text);

const expected = {};
for (const name of Object.keys(cases)) {
  const { before, code } = script(name, read, true);
  const file = join(folder, 'snippet.py');
  writeFileSync(file, `${before}\n${code}`);
  const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
  expected[name] = execFileSync('/usr/bin/python3', ['-W', 'ignore', file], options);
}
writeFileSync(new URL('expected.json', import.meta.url), `${JSON.stringify(expected, null, 2)}\n`);
console.log(`${Object.keys(expected).length} snippets`);
