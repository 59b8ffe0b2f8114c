// The suite `start`: what the README tells a newcomer. A clean copy of the working tree, without a build and without a
// compiler's cache; `npm start` there until it prints its address; then the start page and a lab in a browser, until
// their first figures are drawn.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMain, main, must, root, Stop, seconds } from '../../wasm/tools/process.mjs';
import { launchWindowless } from './chromium.mjs';
import { watchForPicture } from './first-picture.mjs';
import { readmeLab } from './site.mjs';

/** Other suites run meanwhile, and have the processor first. */
const PATIENCE_MS = 120_000;
const PAGES = ['', readmeLab];

/** Copies what a commit of the working tree would hold. */
function copyTo(folder) {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = must('git', listed, 'the suite `start` copies the files that git knows.');
  for (const file of stdout.split('\0')) {
    // A file that was removed is listed until the removal is committed.
    if (file && existsSync(join(root, file))) cpSync(join(root, file), join(folder, file));
  }
}

/** A newcomer's environment: no compiler's cache, and no launcher of ours. */
function environment() {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(CCACHE_|CMAKE_\w+_LAUNCHER$|npm_config_local_prefix$|PORT$)/.test(name),
  );
  return { ...Object.fromEntries(own), CCACHE_DISABLE: '1' };
}

/** Runs `npm start` in `folder`: its address, once it is printed, and what ends it. */
async function npmStart(folder) {
  // A group of its own, so that the server is ended with npm.
  const npm = spawn('npm', ['start'], { cwd: folder, env: environment(), detached: true });
  const ended = new Promise((resolve) => npm.once('close', resolve));
  const end = async () => {
    if (npm.exitCode === null && npm.signalCode === null) process.kill(-npm.pid, 'SIGTERM');
    await ended;
  };
  // Without npm what waits for it fails, and the copy is removed.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end);
  setPriority(npm.pid, constants.priority.PRIORITY_LOW);
  npm.stdin.end();
  let said = '';
  const address = new Promise((resolve, reject) => {
    const read = (text) => {
      said += text;
      const [url] = /http:\/\/\S+/.exec(said) ?? [];
      if (url) resolve(url);
    };
    npm.stdout.setEncoding('utf8').on('data', read);
    npm.stderr.setEncoding('utf8').on('data', read);
    npm.once('close', (code) => reject(new Stop(`${said}\nnpm start ended with ${code}.`)));
  });
  try {
    return { url: await address, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** What is wrong with the page at this address, if anything is. */
async function faultOf(browser, url) {
  const context = await browser.newContext();
  const errors = [];
  await context.addInitScript(watchForPicture);
  const page = await context.newPage();
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  try {
    await page.goto(url, { waitUntil: 'commit', timeout: PATIENCE_MS });
    await page.waitForFunction(() => globalThis.firstPictureMs, undefined, {
      timeout: PATIENCE_MS,
    });
  } catch (error) {
    errors.push(`its first figure is not drawn: ${error.message.split('\n')[0]}`);
  } finally {
    await context.close();
  }
  return errors.join('\n');
}

/** {passed, failed, built}: the presets that the newcomer's commands built. */
export async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'attn-start-'));
  const counts = { passed: 0, failed: 0 };
  try {
    copyTo(folder);
    const started = performance.now();
    const { url, end } = await npmStart(folder);
    counts.passed += 1;
    console.log(`npm start: ${url} after ${seconds(started)}`);
    const browser = await launchWindowless();
    try {
      for (const page of PAGES) {
        const fault = await faultOf(browser, url + page);
        counts[fault ? 'failed' : 'passed'] += 1;
        if (fault) console.log(`FAILED: ${url}${page}\n${fault}`);
      }
    } finally {
      await browser.close();
      await end();
    }
    const built = readdirSync(join(folder, 'build')).filter((preset) =>
      existsSync(join(folder, 'build', preset, 'build.ninja')),
    );
    return { ...counts, built };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const { passed, failed } = await start();
    console.log(`${passed} passed, ${failed} failed`);
    if (failed > 0) process.exitCode = 1;
  });
}
