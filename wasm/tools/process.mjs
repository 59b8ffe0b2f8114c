// Running other programs, for all scripts. Node built-ins only: setup runs before `npm ci`.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A failure whose message says all there is to say: no stack is printed for it. */
export class Stop extends Error {}

/** The full path of a program on PATH, or undefined. */
export function which(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (!folder) continue;
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

/** Runs a program to its end; {code, out} with stdout and stderr together. Never throws. */
export function capture(command, args, options = {}) {
  const done = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: { ...process.env, ...options.env },
  });
  if (done.error) return { code: 127, out: `${command}: ${done.error.message}\n`, stdout: '' };
  return { code: done.status ?? 1, out: done.stdout + done.stderr, stdout: done.stdout };
}

/** The same without waiting for it: a promise of {code, out, stdout}. */
export function captureAsync(command, args, { input, env, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...options,
      env: { ...process.env, ...env },
    });
    let out = '';
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    child.once('error', (error) =>
      resolve({ code: 127, out: `${command}: ${error.message}\n`, stdout: '' }),
    );
    child.once('close', (code) => resolve({ code: code ?? 1, out, stdout }));
    if (input !== undefined) child.stdin.end(input);
  });
}

/** Runs a program quietly; on failure shows all it said, then `advice`, and stops. */
export function must(command, args, advice, options = {}) {
  const done = capture(command, args, options);
  if (done.code === 0) return done;
  process.stderr.write(`$ ${[command, ...args].join(' ')}\n${done.out}`);
  throw new Stop(advice);
}

/** Runs a script's main function; a `Stop` ends it with its message and exit code 1. */
export async function main(run) {
  try {
    await run();
  } catch (error) {
    console.error(error instanceof Stop ? error.message : error);
    process.exit(1);
  }
}

/** Whether the module at this URL is the script that node was asked to run. */
export const isMain = (url) => process.argv[1] === fileURLToPath(url);

export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
