/**
 * Tests that the set-up says what it would install as root before it does it, and asks where somebody can answer.
 * Programs of ours stand for apt-get and for what it installs, and Python for a terminal.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { mayInstall } from '../../wasm/tools/setup.mjs';

const repository = fileURLToPath(new URL('../..', import.meta.url));

test.each([
  { install: true, ci: false, terminal: true, root: false, may: 'yes' },
  { install: true, ci: false, terminal: false, root: false, may: 'yes' },
  { install: false, ci: true, terminal: false, root: false, may: 'yes' },
  { install: false, ci: true, terminal: true, root: true, may: 'yes' },
  { install: false, ci: false, terminal: true, root: false, may: 'ask' },
  { install: false, ci: false, terminal: true, root: true, may: 'ask' },
  { install: false, ci: false, terminal: false, root: true, may: 'yes' },
  { install: false, ci: false, terminal: false, root: false, may: 'no' },
])('--install $install, CI $ci, terminal $terminal, root $root: $may', ({ may, ...how }) => {
  expect(mayInstall(how)).toBe(may);
});

const aptGet = `#!/bin/sh
echo "$@" >> "$FOLDER/asked"
case "$1" in install) for name in cmake ninja; do : > "$FOLDER/$name"; chmod +x "$FOLDER/$name"; done;; esac
`;
/** Takes no password, as \`sudo -n\` does where none is needed. */
const sudo = `#!/bin/sh
shift
exec "$@"
`;
/** Runs a program at a terminal, and types what it is given once it is asked. */
const atTerminal = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
said = b""
while True:
    try:
        some = os.read(terminal, 4096)
    except OSError:
        break
    if not some:
        break
    asked = b"[y/N]" in said
    said += some
    if b"[y/N]" in said and not asked:
        os.write(terminal, sys.argv[1].encode() + b"\\n")
sys.stdout.buffer.write(said)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;
const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).stdout.trim();

let folder: string;
const program = (name: string, text: string): void => {
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o755);
};
const asked = (): string =>
  existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8') : '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'attn-setup-'));
  program('apt-get', aptGet);
  program('sudo', sudo);
  const emscripten = join(folder, 'upstream/emscripten');
  mkdirSync(join(emscripten, 'cmake/Modules/Platform'), { recursive: true });
  for (const name of ['emcc', 'cmake/Modules/Platform/Emscripten.cmake']) {
    writeFileSync(join(emscripten, name), '');
  }
  for (const name of ['sh', 'env', 'chmod']) {
    const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    symlinkSync(stdout.trim(), join(folder, name));
  }
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** Sets up where CMake and Ninja are missing; `answer` is typed at a terminal, and without it there is none. */
function setUp({ answer, args = [], ci = '' }: { answer?: string; args?: string[]; ci?: string }) {
  const command = [process.execPath, join(repository, 'wasm/tools/setup.mjs'), 'build', ...args];
  const env = {
    ...{ PATH: folder, FOLDER: folder, CI: ci },
    // Everything else is there.
    ...{ CXX: 'c++', EIGEN3_INCLUDE_DIR: folder, EMSDK: folder },
  };
  const run = answer === undefined ? command : [python, '-c', atTerminal, answer, ...command];
  const [name = '', ...rest] = run;
  const { status, stdout, stderr } = spawnSync(name, rest, { env, encoding: 'utf8' });
  return { status, out: (stdout + stderr).replaceAll('\r', '') };
}

const installing = /apt-get install -y -q --no-install-recommends cmake ninja-build\n/;

describe('at a terminal', () => {
  test.each(['', 'n', 'no', 'yesterday'])('the answer "%s" installs nothing', (answer) => {
    const { status, out } = setUp({ answer });
    expect(out).toMatch(installing);
    expect(out).toContain('Nothing was installed.');
    expect(out).toContain('--install');
    expect(status).toBe(1);
    expect(asked()).toBe('');
  });

  test.each(['y', 'Yes'])('the answer "%s" installs what was named', (answer) => {
    const { status, out } = setUp({ answer });
    expect(out).toMatch(installing);
    expect(out).toContain('setup: ready');
    expect(status).toBe(0);
    expect(asked()).toBe('update -q\ninstall -y -q --no-install-recommends cmake ninja-build\n');
  });

  test('--install does not ask, and says the same', () => {
    const { status, out } = setUp({ answer: 'n', args: ['--install'] });
    expect(out).toMatch(installing);
    expect(out).not.toContain('[y/N]');
    expect(status).toBe(0);
    expect(asked()).toContain('install ');
  });
});

test('in CI it says what it installs, and goes on', () => {
  const { status, out } = setUp({ ci: 'true' });
  expect(out).toMatch(installing);
  expect(status).toBe(0);
  expect(asked()).toContain('install ');
});
