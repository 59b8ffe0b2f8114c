// npm run python -- file.py [--time]: runs a script in the page's own Python, without a page.
// `-` reads the standard input. The course's modules can be imported; names that a snippet of the course
// texts takes for granted are imported for it, and said.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { openPython } from './python-parts.mjs';

const args = process.argv.slice(2);
const file = args.find((arg) => arg === '-' || !arg.startsWith('-'));
if (!file || args.includes('--help')) {
  console.error('npm run python -- file.py [--time]    (- reads the standard input)');
  process.exit(2);
}

const started = performance.now();
const code = readFileSync(file === '-' ? 0 : file, 'utf8');
const { createPython, missingImports } = await openPython();
const python = await createPython({ hooks: { onPrint: (text) => process.stdout.write(text) } });
const booted = performance.now();
// Snippets of the course texts use some names without importing them.
const { before, names } = missingImports(code);
if (names.length > 0)
  console.error(`(not imported in the file, taken from the course: ${names.join(', ')})`);
const { error, traceback, counts, milliseconds } = python.runScript(code, before);
if (error) {
  const name = file === '-' ? '<stdin>' : basename(file);
  console.error((traceback ?? `${error.type}: ${error.message}`).replaceAll('student.py', name));
  const where = error.line ? `line ${error.line}: ` : '';
  console.error(`\n${where}${error.type}: ${error.message}`);
}
if (args.includes('--time')) {
  const { multiplyAdds, touched, bytes } = counts;
  console.error(
    `ready in ${(booted - started).toFixed(0)} ms, ran ${milliseconds.toFixed(1)} ms; ` +
      `${multiplyAdds} multiply-adds, ${touched} numbers touched, ${bytes} bytes of arrays`,
  );
}
process.exitCode = error ? 1 : 0;
