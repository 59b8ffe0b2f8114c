// Finds what building and testing need, and installs what is missing where it may.
//
//   node wasm/tools/setup.mjs [build|exercise|fuzz|test]      (test includes the others; the default)
//
// Every command that sets up takes `--install`: what is missing is installed without a question.
import { existsSync, readdirSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import { firefox, miniBrowser } from '../../tests/tools/browsers.mjs';
import { chromium } from '../../tests/tools/chromium.mjs';
import { capture, isMain, main, must, root, Stop, which } from './process.mjs';

const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
const release = read('/etc/os-release');
const ubuntu = /^ID=ubuntu/m.test(release);
const debian = /^ID=debian/m.test(release);
const includeFolders = ['/usr/include', '/usr/local/include', '/opt/homebrew/include'];
const header = (name) => includeFolders.some((folder) => existsSync(join(folder, name)));
const majorOf = (program) =>
  Number(/(\d+)\.\d+/.exec(capture(program, ['-dumpfullversion', '-dumpversion']).out)?.[1] ?? 0);

/** A C++20 compiler: CXX, else g++ from 12 on, else clang++ from 14 on. */
export function compiler() {
  if (process.env.CXX) return process.env.CXX;
  if (which('g++') && majorOf('g++') >= 12) return 'g++';
  const newer = ['g++-14', 'g++-13', 'g++-12'].find(which);
  if (newer) return newer;
  return which('clang++') && majorOf('clang++') >= 14 ? 'clang++' : undefined;
}

/** clang++ where its AddressSanitizer is installed too, else undefined. */
export function clangWithSanitizers() {
  if (!which('clang++') || majorOf('clang++') < 14) return undefined;
  const asan = capture('clang++', ['--print-file-name=libclang_rt.asan-x86_64.a']).stdout.trim();
  const here = capture('clang++', ['--print-runtime-dir']).stdout.trim();
  const found =
    existsSync(asan) || (existsSync(here) && readdirSync(here).some((name) => /asan/.test(name)));
  return found ? 'clang++' : undefined;
}

/** The same where its libFuzzer is installed as well. */
export function clangWithFuzzer() {
  if (!clangWithSanitizers()) return undefined;
  const folder = dirname(
    capture('clang++', ['--print-file-name=libclang_rt.fuzzer-x86_64.a']).stdout.trim(),
  );
  const here = capture('clang++', ['--print-runtime-dir']).stdout.trim();
  const found = [folder, here].some(
    (path) => existsSync(path) && readdirSync(path).some((name) => /rt\.fuzzer/.test(name)),
  );
  return found ? 'clang++' : undefined;
}

/** The folder that holds emcc and its CMake files: the one on PATH, EMSDK's, else Debian's. */
export function emscripten() {
  const candidates = [
    which('emcc'),
    process.env.EMSDK && join(process.env.EMSDK, 'upstream/emscripten/emcc'),
    '/usr/bin/emcc',
  ];
  for (const emcc of candidates) {
    if (!emcc || !existsSync(emcc)) continue;
    const here = dirname(realpathSync(emcc));
    // Homebrew's emcc is a wrapper beside `libexec`.
    for (const folder of [here, join(here, '../libexec')]) {
      if (existsSync(join(folder, 'cmake/Modules/Platform/Emscripten.cmake'))) return folder;
    }
  }
  return undefined;
}

// Ubuntu 22.04's g++ is 11.
const gxx = ubuntu && /VERSION_ID="?(2[0-3])\./.test(release) ? 'g++-12' : 'g++';

/** A program on PATH, and a library by a header of its own: how they are found, and what apt and brew call them. */
const program = (what, name, apt, brew = apt) => ({ what, found: () => which(name), apt, brew });
const library = (what, file, apt, brew) => ({ what, found: () => header(file), apt, brew });

/** What is needed: how it is found, and what apt and brew call it. */
const needs = {
  build: [
    { what: 'C++ compiler', found: compiler, apt: gxx, brew: 'gcc' },
    program('CMake', 'cmake', 'cmake'),
    program('Ninja', 'ninja', 'ninja-build', 'ninja'),
    { what: 'Emscripten', found: emscripten, apt: 'emscripten', brew: 'emscripten' },
    {
      ...library('Eigen', 'eigen3/Eigen/Core', 'libeigen3-dev', 'eigen'),
      found: () => header('eigen3/Eigen/Core') || process.env.EIGEN3_INCLUDE_DIR,
    },
    // CMake configures the tests with the library: their header is needed to build at all.
    library('doctest', 'doctest/doctest.h', 'doctest-dev', 'doctest'),
  ],
  exercise: [library('nlohmann/json', 'nlohmann/json.hpp', 'nlohmann-json3-dev', 'nlohmann-json')],
  fuzz: [
    {
      what: 'clang++',
      optional: true,
      found: () => which('clang++'),
      apt: 'clang',
      brew: undefined,
    },
    {
      what: "clang's sanitizers and libFuzzer",
      optional: true,
      found: clangWithFuzzer,
      apt: 'libclang-rt-14-dev',
      brew: undefined,
    },
  ],
  test: [
    library('Google Benchmark', 'benchmark/benchmark.h', 'libbenchmark-dev', 'google-benchmark'),
    program('clang-format', 'clang-format', 'clang-format'),
    // What is only quicker with it is installed where that is possible, and never asked for.
    { ...program('ccache', 'ccache', 'ccache'), optional: true },
    program('clang-tidy', 'clang-tidy', 'clang-tidy', 'llvm'),
    {
      what: 'Chromium',
      found: chromium,
      // Ubuntu's package is a stub that asks for snap, which containers do not have.
      apt: ubuntu ? undefined : 'chromium',
      brew: '--cask chromium',
      byHand:
        'wget -O /tmp/chrome.deb https://dl.google.com/linux/direct/google-chrome-stable_current_amd64.deb && sudo apt-get install -y /tmp/chrome.deb',
    },
    // Chromium without windows of its own opens a page in two thirds of the time. Ubuntu has no package of it, and a
    // name that apt does not know would be asked for in vain at every start.
    {
      what: 'Chromium without windows',
      optional: true,
      found: () => which('chromium-headless-shell'),
      apt: ubuntu ? undefined : 'chromium-headless-shell',
      brew: undefined,
    },
    // Debian has both as packages. Elsewhere the suite `browsers` opens those that are there, and names the others.
    ...[
      { what: 'Firefox', found: firefox, apt: 'firefox-esr' },
      {
        what: 'WebKitGTK with its driver',
        found: () => miniBrowser() && which('WebKitWebDriver'),
        apt: 'webkit2gtk-driver',
      },
      { what: 'a screen without a monitor', found: () => which('Xvfb'), apt: 'xvfb' },
    ].map((need) => ({
      ...need,
      optional: !debian,
      apt: debian ? need.apt : undefined,
      brew: undefined,
    })),
    // They make pages in which the tests embed a lab.
    program('Sphinx', 'sphinx-build', 'python3-sphinx', 'sphinx-doc'),
    program('pandoc', 'pandoc', 'pandoc'),
    {
      what: 'a font for the screenshots',
      found: () =>
        process.platform !== 'linux' ||
        ['/usr/share/fonts/truetype', '/usr/share/fonts/opentype', '/usr/share/fonts/TTF'].some(
          (folder) => existsSync(folder) && readdirSync(folder).length > 0,
        ),
      apt: 'fonts-dejavu-core',
      brew: undefined,
    },
  ],
};

/** What to put before apt-get to be root: nothing, sudo without a password, or undefined. */
function becomeRoot() {
  if (process.getuid?.() === 0) return [];
  if (which('sudo') && capture('sudo', ['-n', 'true']).code === 0) return ['sudo', '-n'];
  return undefined;
}

/**
 * Whether packages may be installed as root: 'yes', 'ask' or 'no'.
 * @param {{ install: boolean, ci: boolean, terminal: boolean, root: boolean }} how `--install` was said, this is a
 *   machine of continuous integration, somebody sits at a terminal, and root runs this
 */
export function mayInstall({ install, ci, terminal, root }) {
  if (install || ci) return 'yes';
  if (terminal) return 'ask';
  // Nobody can be asked. A container runs everything as root, but nobody is made root unasked.
  return root ? 'yes' : 'no';
}

// Taken away here, so that no command has to know it beside the options of its own.
const install = process.argv.includes('--install');
process.argv = process.argv.filter((word) => word !== '--install');

const permission = () =>
  mayInstall({
    install,
    ci: !['', '0', 'false'].includes(process.env.CI ?? ''),
    terminal: isatty(0) && isatty(1),
    root: process.getuid?.() === 0,
  });

/** Whether the answer that is typed is yes. */
function ask(question) {
  process.stdout.write(`${question} [y/N] `);
  const line = Buffer.alloc(64);
  return /^y(es)?$/i.test(line.toString('utf8', 0, readSync(0, line)).trim());
}

/** The one command line that installs `missing` by hand on this machine. */
function commandFor(missing) {
  const lines = [];
  const list = (key) => missing.map((need) => need[key]).filter(Boolean);
  if (which('apt-get')) {
    const packages = list('apt');
    if (packages.length > 0) {
      const install = 'apt-get install -y --no-install-recommends';
      lines.push(`sudo apt-get update && sudo ${install} ${packages.join(' ')}`);
    }
    for (const need of missing) if (!need.apt) lines.push(need.byHand);
  } else if (process.platform === 'darwin' || which('brew')) {
    for (const name of list('brew')) lines.push(`brew install ${name}`);
  } else {
    if (missing.some((need) => need.what === 'Emscripten')) {
      lines.push(
        'git clone https://github.com/emscripten-core/emsdk && emsdk/emsdk install latest && emsdk/emsdk activate latest && . emsdk/emsdk_env.sh',
      );
    }
    const rest = missing.filter((need) => need.what !== 'Emscripten').map((need) => need.what);
    if (rest.length > 0) lines.push(`with this system's package manager: ${rest.join(', ')}`);
  }
  return lines.join('\n  ');
}

function installTools(wanted) {
  const absent = wanted.flatMap((group) => needs[group]).filter((need) => !need.found());
  const missing = absent.filter((need) => !need.optional);
  const names = missing.map((need) => need.what).join(', ');
  const prefix = which('apt-get') && becomeRoot();
  if (missing.length > 0 && (!prefix || missing.some((need) => !need.apt))) {
    throw new Stop(`missing: ${names}\nRun this, then try again:\n  ${commandFor(missing)}`);
  }
  const optional = absent.filter((need) => need.optional && need.apt);
  if (!prefix || missing.length + optional.length === 0) return;
  const may = permission();
  // Whoever went on without them is not asked at every start.
  if (missing.length === 0 && may !== 'yes') {
    console.log(`setup: --install would add ${optional.map((need) => need.what).join(', ')}`);
    return;
  }
  const aptGet = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  const update = [...aptGet, 'update', '-q'];
  const installing = (some) => [
    ...[...aptGet, 'install', '-y', '-q', '--no-install-recommends'],
    ...some.map((need) => need.apt),
  ];
  // What is optional is installed by itself: a release that lacks it must still get the rest.
  const parts = [missing, optional].filter((some) => some.length > 0);
  const commands = [update, ...parts.map(installing)].map((words) => `\n  ${words.join(' ')}`);
  console.log(`setup: missing: ${[...missing, ...optional].map((need) => need.what).join(', ')}`);
  console.log(`setup: as root, apt installs them with${commands.join('')}`);
  const instead = `Say --install, as in \`npm start -- --install\`, or run this:\n  ${commandFor(missing)}`;
  if (may === 'no') throw new Stop(`There is no terminal to ask at. ${instead}`);
  if (may === 'ask' && !ask('Shall they be installed?')) {
    throw new Stop(`Nothing was installed. ${instead}`);
  }
  const attempt = (words) => {
    const [program, ...rest] = words;
    const done = capture(program, rest);
    return done.code === 0 ? undefined : `$ ${words.join(' ')}\n${done.out}`;
  };
  const failure =
    attempt(update) ?? (missing.length > 0 ? attempt(installing(missing)) : undefined);
  if (failure && missing.length > 0) {
    process.stderr.write(failure);
    throw new Stop(`apt-get could not install: ${names}. Its message is above.`);
  }
  if (failure ?? (optional.length > 0 ? attempt(installing(optional)) : undefined)) {
    console.log('setup: going on without what is optional');
  }
  const still = missing.filter((need) => !need.found());
  if (still.length > 0) {
    throw new Stop(`installed, but still not found: ${still.map((need) => need.what).join(', ')}`);
  }
}

function installPackages() {
  const modified = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);
  const installed = modified(join(root, 'node_modules/.package-lock.json'));
  if (installed > 0 && installed >= modified(join(root, 'package-lock.json'))) return;
  console.log('setup: npm ci');
  must('npm', ['ci', '--no-audit', '--no-fund'], 'npm ci failed: see its message above.');
}

/** What each purpose needs. */
const groups = {
  build: ['build'],
  exercise: ['build', 'exercise'],
  fuzz: ['build', 'fuzz'],
  test: ['build', 'exercise', 'fuzz', 'test'],
};

/** @param {'build' | 'exercise' | 'fuzz' | 'test'} purpose */
export function setup(purpose) {
  const [major] = process.versions.node.split('.').map(Number);
  if (major < 20)
    throw new Stop(`Node ${process.versions.node} is too old: 20 or newer is needed.`);
  installTools(groups[purpose]);
  installPackages();
}

if (isMain(import.meta.url)) {
  await main(() => {
    const started = performance.now();
    setup(process.argv[2] ?? 'test');
    console.log(`setup: ready (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  });
}
