/**
 * A lab in a course site: a student works, closes the tab, comes back on another computer, and finds score and code. The
 * learning systems are the strict one of tests/web/course-site and scorm-again; the files want a cookie, as Moodle's do,
 * and come under the policy of the README.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { transformWithOxc } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ScormVersion } from '../../web/src/embed/host/scorm';
import { packageOf } from '../../web/tools/package.mjs';
import { serve } from '../../web/tools/serve.mjs';
import { launchWindowless } from '../tools/chromium.mjs';
import { strictCsp } from '../tools/readme.mjs';
import type { StrictLms } from '../web/course-site/strict-lms';
import { answer as commitTo } from './through';

declare global {
  interface Window {
    lms: StrictLms;
    StrictLms: typeof StrictLms;
    API: { renderCMIToJSONString(): string };
    API_1484_11: { renderCMIToJSONString(): string };
  }
}

const solutionOf = (exercise: string): string =>
  readFileSync(new URL(`../../web/exercises/${exercise}/solution.py`, import.meta.url), 'utf8');
const solution = solutionOf('count-operations');
const SETTINGS = { lab: 'complexity', steps: ['count'], exercises: ['count-operations'] };

let browser: Browser;
let folder = '';
let inner: Awaited<ReturnType<typeof serve>>;
let server: Server;
let site = '';
let strictLms = '';
const errors: string[] = [];

/** Unpacks a package into a folder of the learning system, and returns its address there. */
async function upload(name: string, options: Parameters<typeof packageOf>[0]): Promise<string> {
  const files = Object.entries(unzipSync(await packageOf(options)));
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), bytes);
  }
  return `${name}/package.html`;
}

const otherHost = (): string => inject('siteUrl').replace(/ /g, '%20');

/** A package that shows the lab of another host has a frame from there. */
const policyOf = (path: string): string =>
  path.startsWith('/remote/')
    ? strictCsp.replace("frame-src 'self'", `$& ${new URL(otherHost()).origin}`)
    : strictCsp;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'attention-labs-lms-'));
  const source = readFileSync(new URL('../web/course-site/strict-lms.ts', import.meta.url), 'utf8');
  const { code } = await transformWithOxc(source, 'strict-lms.ts');
  strictLms = `${code.replace(/^export /gm, '')}; window.StrictLms = StrictLms;`;
  inner = await serve({ root: folder, shared: false });
  server = createServer(async (request, response) => {
    if (!request.headers.cookie?.includes('MoodleSession')) {
      // The page that logs in whoever comes to it; files without the cookie get it as well.
      response.writeHead(200, {
        'Content-Type': 'text/html',
        ...(request.url === '/' && { 'Set-Cookie': 'MoodleSession=1; Path=/; SameSite=Lax' }),
      });
      return void response.end('<!doctype html><title>Log in</title>');
    }
    if (request.url === '/player') {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      return void response.end(
        '<!doctype html><title>Course</title><iframe title="Activity" width="1000" height="700"></iframe>',
      );
    }
    const answer = await fetch(new URL(request.url ?? '/', inner.url));
    const type = answer.headers.get('content-type') ?? 'text/plain';
    response.writeHead(answer.status, {
      'Content-Type': type.includes('wasm') ? 'document/unknown' : type,
      'Content-Security-Policy': policyOf(request.url ?? '/'),
    });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  browser = await launchWindowless();
});
afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  await inner?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  expect(errors.splice(0), 'console errors').toEqual([]);
});

/** A student's browser on another computer: an empty profile, logged in, on the page of the activity. */
async function student(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    viewport: { width: 1100, height: 800 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(site);
  await page.goto(`${site}player`);
  return { context, page };
}

/** Opens the activity in the player, once the page has its learning system. */
async function open(page: Page, address: string): Promise<Frame> {
  await page
    .locator('iframe')
    .evaluate((one, src) => one.setAttribute('src', src), new URL(address, site).href);
  const activity = await (await page.locator('iframe').elementHandle())?.contentFrame();
  const iframe = await activity?.waitForSelector('iframe');
  const frame = await iframe?.contentFrame();
  if (!frame) throw new Error('no lab');
  await frame.locator('.course-site').waitFor({ timeout: 30_000 });
  return frame;
}

/** Leaves the activity, as a student does who goes on in the course. */
const leave = (page: Page): Promise<void> =>
  page.locator('iframe').evaluate(
    (one) =>
      new Promise<void>((done) => {
        one.addEventListener('load', () => done(), { once: true });
        one.setAttribute('src', 'about:blank');
      }),
  );

const said = (frame: Frame) => frame.locator('.course-site').textContent();
const codeIn = (frame: Frame) =>
  frame
    .locator('attn-exercise attn-code-editor')
    .evaluate((one) => (one as HTMLElement & { value: string }).value);

/** Opens the first exercise of a step. */
async function openExercise(page: Page, frame: Frame, step = 'count'): Promise<void> {
  // The steps come with the first move.
  await page.mouse.move(300, 300);
  await page.mouse.move(310, 310);
  await frame.locator(`#${step} .step-end`).waitFor({ state: 'attached', timeout: 60_000 });
  await frame.locator(`#${step} .exercises`).scrollIntoViewIfNeeded();
  await frame.locator(`#${step} attn-write-it .button`).first().click();
  await frame.locator('attn-exercise attn-code-editor').waitFor();
}

async function solve(page: Page, frame: Frame, code = solution): Promise<void> {
  const editor = frame.locator('attn-exercise attn-code-editor');
  await editor.locator('textarea, .cm-content').first().click();
  await editor.locator('.cm-content').waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(code);
  await frame.getByRole('button', { name: 'Run', exact: true }).click();
  await expect
    .poll(() => frame.locator('attn-exercise .run-status .status').textContent(), {
      timeout: 60_000,
    })
    .toMatch(/^Passed/);
}

async function lmsOf(
  page: Page,
  kept: Record<string, string> = {},
  mode: 'normal' | 'review' = 'normal',
  version: ScormVersion = '1.2',
): Promise<void> {
  await page.addScriptTag({ content: strictLms });
  await page.evaluate(
    ({ kept, mode, version }) => {
      window.lms = new window.StrictLms({ version, student: 'anna', mode });
      window.lms.kept = kept;
      Object.assign(window, window.lms.launch());
    },
    { kept, mode, version },
  );
}

/** The learning system of scorm-again, with what it kept of an earlier launch. */
async function scormAgain(page: Page, version: ScormVersion, kept?: object): Promise<void> {
  const file = version === '1.2' ? 'scorm12.js' : 'scorm2004.js';
  await page.addScriptTag({
    path: join(import.meta.dirname, '../../node_modules/scorm-again/dist', file),
  });
  await page.evaluate(
    ({ version, kept }) => {
      type Api = new (options: object) => { loadFromJSON(kept: object, element: string): void };
      const apis = window as unknown as Record<'Scorm12API' | 'Scorm2004API', Api>;
      const api = new apis[version === '1.2' ? 'Scorm12API' : 'Scorm2004API']({ logLevel: 5 });
      if (kept) api.loadFromJSON(kept, 'cmi');
      Object.assign(window, { [version === '1.2' ? 'API' : 'API_1484_11']: api });
    },
    { version, kept },
  );
}
/** What it has been told, committed or not. */
const cmiOf = (page: Page, version: ScormVersion): Promise<object> =>
  page.evaluate(
    (name) => {
      const api = window[name];
      return (JSON.parse(api.renderCMIToJSONString()) as { cmi: object }).cmi;
    },
    version === '1.2' ? ('API' as const) : ('API_1484_11' as const),
  );

const keptBy = (page: Page) => page.evaluate(() => window.lms.kept);

describe('a package for SCORM 1.2, in a system that refuses what Moodle refuses', () => {
  it('hands over score and code, and brings them back on an empty profile; in review nothing is written', async () => {
    const address = await upload('kept', { ...SETTINGS, scorm: '1.2', language: 'en' });
    const first = await student();
    await lmsOf(first.page);
    let frame = await open(first.page, address);
    expect(await said(frame)).toMatch(/^What you do here is handed to the course site/);
    await openExercise(first.page, frame);
    // Nothing has been run, so there is no score.
    expect((await keptBy(first.page))['cmi.core.score.raw']).toBeUndefined();
    await solve(first.page, frame);
    await expect.poll(() => said(frame)).toMatch(/^Handed to the course site at .*50 %/);
    expect(await said(frame)).not.toMatch(/saved/i);
    // A crash here would lose nothing.
    expect(await keptBy(first.page)).toMatchObject({
      'cmi.core.score.raw': '50',
      'cmi.core.lesson_status': 'incomplete',
      'cmi.suspend_data': expect.stringMatching(/^AL1\./),
      'cmi.interactions.0.id': 'count-operations',
      'cmi.interactions.0.student_response': expect.stringMatching(/^python; runs: 1; cases: \d/),
      'cmi.interactions.0.result': 'correct',
    });
    await leave(first.page);
    const kept = await keptBy(first.page);
    expect(kept).toMatchObject({
      exit: 'suspend',
      'cmi.core.lesson_status': 'incomplete',
      'cmi.core.session_time': expect.stringMatching(/^0000:0[0-9]:\d\d\.00$/),
    });
    expect(
      await first.page.evaluate(() => [
        window.lms.refused,
        window.lms.calls.filter((call) => /^(initialize|finish)/.test(call)),
      ]),
    ).toEqual([[], ['initialize()', 'finish()']]);
    // The drawer is the student's, not the browser's.
    const drawers = await first.page.evaluate(async () =>
      (await indexedDB.databases()).map(({ name }) => name),
    );
    expect(drawers).toEqual([expect.stringMatching(/^attention-labs[0-9a-f]{16}$/)]);
    await first.context.close();

    const second = await student();
    await lmsOf(second.page, kept);
    frame = await open(second.page, address);
    await openExercise(second.page, frame);
    await expect.poll(() => codeIn(frame)).toBe(solution);
    await expect.poll(() => frame.locator('attn-write-it .passed').count()).toBe(1);
    await leave(second.page);
    expect(await keptBy(second.page)).toMatchObject({ 'cmi.core.score.raw': '50' });
    expect(await second.page.evaluate(() => window.lms.refused)).toEqual([]);
    await second.context.close();

    const review = await student();
    await lmsOf(review.page, kept, 'review');
    frame = await open(review.page, address);
    expect(await said(frame)).toMatch(/finished attempt/);
    await openExercise(review.page, frame);
    await expect.poll(() => codeIn(frame)).toBe(solution);
    await leave(review.page);
    expect(await keptBy(review.page)).toEqual(kept);
    expect(await review.page.evaluate(() => window.lms.refused)).toEqual([]);
    await review.context.close();
  });
});

it('a package with one exercise is passed when that is, and brings its code back', async () => {
  const code = solutionOf('stable-softmax');
  const settings = { scorm: '1.2', lab: '', exercise: 'stable-softmax', language: 'en' } as const;
  const address = await upload('exercise', { ...settings, hide: ['solution'] });
  const first = await student();
  await lmsOf(first.page);
  let frame = await open(first.page, address);
  await solve(first.page, frame, code);
  await expect.poll(() => said(frame)).toMatch(/^Handed to the course site at .*100 %/);
  await leave(first.page);
  const kept = await keptBy(first.page);
  expect(kept).toMatchObject({
    'cmi.core.lesson_status': 'passed',
    'cmi.core.score.raw': '100',
    'cmi.interactions.0.id': 'stable-softmax',
  });
  expect(await first.page.evaluate(() => window.lms.refused)).toEqual([]);
  await first.context.close();
  // Moodle shows an attempt that is over in review.
  const again = await student();
  await lmsOf(again.page, kept, 'review');
  frame = await open(again.page, address);
  await expect.poll(() => codeIn(frame)).toBe(code);
  await again.context.close();
});

it('a package that shows the lab of another host reports to scorm-again', async () => {
  const remote = otherHost();
  const address = await upload('remote', { ...SETTINGS, scorm: '1.2', language: 'en', remote });
  const { context, page } = await student();
  await scormAgain(page, '1.2');
  const frame = await open(page, address);
  expect(new URL(frame.url()).origin).toBe(new URL(remote).origin);
  await openExercise(page, frame);
  await solve(page, frame);
  await expect.poll(() => said(frame)).toMatch(/50 %/);
  expect(await cmiOf(page, '1.2')).toMatchObject({
    suspend_data: expect.stringMatching(/^AL1\./),
    core: { lesson_status: 'incomplete', score: { raw: '50', min: '0', max: '100' } },
  });
  await context.close();
});

describe.each([
  { lab: 'heads', step: 'grow', exercise: 'induction-score' },
  { lab: 'long-texts', step: 'patterns', exercise: 'random-sparse' },
])('a package with the whole of the lab $lab', ({ lab, step, exercise }) => {
  const code = solutionOf(exercise);
  const counted = { steps: [step], exercises: [exercise] };

  /** Passes the exercise and answers a question, and closes the browser as a crash does: nothing is finished. */
  async function worksUntilCrash(page: Page, address: string): Promise<void> {
    const frame = await open(page, address);
    await openExercise(page, frame, step);
    await solve(page, frame, code);
    await expect.poll(() => said(frame)).toMatch(/^Handed to the course site at .*50 %/);
    await commitTo(frame.locator(`#${step} attn-prediction`).first());
    // What was answered is handed over at once, and the line says so last.
    await page.waitForTimeout(500);
  }

  /** The code is where it was, and so is the answer. */
  async function findsItAgain(page: Page, address: string): Promise<void> {
    const frame = await open(page, address);
    await openExercise(page, frame, step);
    await expect.poll(() => codeIn(frame)).toBe(code);
    await expect.poll(() => frame.locator(`#${step} attn-write-it .passed`).count()).toBe(1);
    const answered = frame.locator(`#${step} attn-prediction`).first().locator('.truth');
    await expect.poll(() => answered.count(), { timeout: 60_000 }).toBe(1);
  }

  it('SCORM 1.2, in the strict system: a crash takes nothing away', async () => {
    const options = { ...counted, scorm: '1.2', lab, language: 'en' } as const;
    const address = await upload(`${lab}-12`, options);
    const first = await student();
    await lmsOf(first.page);
    await worksUntilCrash(first.page, address);
    const kept = await keptBy(first.page);
    expect(kept).toMatchObject({
      'cmi.core.score.raw': '50',
      'cmi.core.lesson_status': 'incomplete',
      'cmi.interactions.0.id': exercise,
    });
    expect(await first.page.evaluate(() => window.lms.refused)).toEqual([]);
    await first.context.close();
    const second = await student();
    await lmsOf(second.page, kept);
    await findsItAgain(second.page, address);
    await second.context.close();
  });

  it('SCORM 2004, in scorm-again: a crash takes nothing away', async () => {
    const options = { ...counted, scorm: '2004', lab, language: 'en' } as const;
    const address = await upload(`${lab}-2004`, options);
    const first = await student();
    await scormAgain(first.page, '2004');
    await worksUntilCrash(first.page, address);
    const kept = await cmiOf(first.page, '2004');
    expect(kept).toMatchObject({
      suspend_data: expect.stringMatching(/^AL1\./),
      completion_status: 'incomplete',
      score: { scaled: '0.5', raw: '50' },
    });
    await first.context.close();
    const second = await student();
    await scormAgain(second.page, '2004', kept);
    await findsItAgain(second.page, address);
    await second.context.close();
  });
});
