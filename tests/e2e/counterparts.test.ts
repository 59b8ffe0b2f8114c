/**
 * The lines of the page `Embed` and of docs/embedding.md in the programs that they are for: pandoc, Sphinx, MyST, Jupyter's own
 * widget manager, and a host that speaks SPLICE as PreTeXt's do. Each page is of another origin than the site.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { type Embedding, SNIPPETS } from '../../web/pages/embed/snippets';
import { serve } from '../../web/tools/serve.mjs';
import { launchWindowless } from '../tools/chromium.mjs';
import { widgetManager } from '../tools/counterparts.mjs';
import { gradedLab } from '../tools/readme.mjs';

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const docs = readFileSync(new URL('../../docs/embedding.md', import.meta.url), 'utf8');

let browser: Browser;
let folder = '';
let host: Awaited<ReturnType<typeof serve>>;
const errors: string[] = [];
const open: Page[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'attention-labs-course-'));
  host = await serve({ root: folder });
  browser = await launchWindowless();
});
afterEach(async () => {
  for (const page of open.splice(0)) await page.close();
  expect(errors.splice(0), 'errors of the page').toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await host?.close();
  rmSync(folder, { recursive: true, force: true });
});

const embedding = (more: Partial<Embedding> = {}): Embedding => ({
  ...{ site: inject('siteUrl').replace(/ /g, '%20'), language: 'en', lab: 'kernel-trick' },
  ...{ exercise: '', step: '', query: 'n=4&lock=n', title: 'The kernel trick' },
  ...{ height: 700, width: 0 },
  ...more,
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

async function visit(path: string): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: 1000, height: 800 },
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(60_000);
  open.push(page);
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    // A page of a program has no icon, and none is looked for.
    const at = message.location().url;
    if (message.type() === 'error' && !at.endsWith('favicon.ico')) errors.push(message.text());
  });
  // The same address under another name counts as another site.
  await page.goto(new URL(path, host.url.replace('127.0.0.1', 'localhost')).href);
  return page;
}

/** The lab is there with the knob that the lines lock, and its frame is as tall as the lab says. */
async function works(page: Page, frame: FrameLocator, element: string): Promise<void> {
  await page.locator(element).scrollIntoViewIfNeeded();
  await frame.locator('[data-drawn]').first().waitFor();
  await frame.locator('.locked-note').first().waitFor({ state: 'attached' });
  const heights = async (): Promise<number> => {
    const [around, inside] = await Promise.all([
      page
        .locator(`${element} iframe, iframe${element}`)
        .first()
        .evaluate((one) => one.clientHeight),
      frame.locator('html').evaluate((one) => Math.ceil(one.getBoundingClientRect().height)),
    ]);
    return Math.abs(around - inside);
  };
  await expect.poll(heights).toBeLessThanOrEqual(1);
}

/** Opens the first exercise of a step, which comes with the reader's first move. */
async function openFirst(page: Page, frame: FrameLocator, step: string): Promise<void> {
  await frame.locator('[data-drawn]').first().waitFor();
  await page.mouse.move(300, 300);
  await page.mouse.move(310, 310);
  await frame.locator(`#${step} .exercises`).scrollIntoViewIfNeeded();
  await frame.locator(`#${step} attn-write-it .button`).first().click();
  await frame.locator('attn-exercise attn-code-editor').waitFor();
}

/** Writes the solution into the only exercise that is open, and runs it. */
async function solve(page: Page, frame: FrameLocator, exercise: string): Promise<void> {
  const solution = new URL(`../../web/exercises/${exercise}/solution.py`, import.meta.url);
  const editor = frame.locator('attn-exercise attn-code-editor');
  await editor.locator('textarea, .cm-content').first().click();
  await editor.locator('.cm-content').waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(readFileSync(solution, 'utf8'));
  await frame.getByRole('button', { name: 'Run', exact: true }).click();
}
const codeIn = (frame: FrameLocator): Promise<string> =>
  frame
    .locator('attn-exercise attn-code-editor')
    .evaluate((one) => (one as HTMLElement & { value: string }).value);

it("the README's page of an instructor's own keeps a grade, and brings the work back", async () => {
  const { site } = embedding();
  const lines = gradedLab().replaceAll('https://your.site/attention-labs/', site);
  write({ 'own.html': `<!doctype html><meta charset="utf-8"><title>Week 3</title>\n${lines}` });
  const page = await visit('own.html');
  const grade = () => page.locator('#attention-kernels-grade').textContent();
  const frame = page.frameLocator('attention-lab iframe');
  await frame.locator('[data-drawn]').first().waitFor();
  // The page around is where the lines say the lab begins, and stays there.
  const top = async (): Promise<number> => {
    const [around, inside] = await Promise.all([
      page.locator('attention-lab').evaluate((one) => one.getBoundingClientRect().top),
      frame.locator('#called').evaluate((one) => one.getBoundingClientRect().top),
    ]);
    return Math.abs(around + inside);
  };
  await expect.poll(top, { timeout: 60_000 }).toBeLessThan(150);
  await page.waitForTimeout(2000);
  expect(await top()).toBeLessThan(150);
  await openFirst(page, frame, 'called');
  expect(await grade()).toBe('not begun');
  await solve(page, frame, 'gram-matrix');
  // Nothing else counts, so this is all of it.
  await expect.poll(grade, { timeout: 60_000 }).toBe('100 %');
  const kept = await page.evaluate(() => localStorage.getItem('attention-kernels'));
  expect(kept).toContain('AL1.');

  // On another computer, where the page brings what it kept.
  const other = await browser.newPage();
  other.setDefaultTimeout(60_000);
  open.push(other);
  await other.addInitScript((text) => localStorage.setItem('attention-kernels', text ?? ''), kept);
  await other.goto(page.url());
  const back = other.frameLocator('attention-lab iframe');
  await openFirst(other, back, 'called');
  const solution = new URL('../../web/exercises/gram-matrix/solution.py', import.meta.url);
  await expect.poll(() => codeIn(back)).toBe(readFileSync(solution, 'utf8'));
});

it('Sphinx shows the raw block, and the element where its script is named for all pages', () => {
  const [, files] = /`(html_js_files = .*)`/.exec(docs) ?? [];
  const { site } = embedding();
  const block = SNIPPETS.sphinx(embedding());
  write({
    'sphinx/conf.py': `project = "A course"\n${files?.replaceAll('https://your.site/attention-labs/', site)}\n`,
    'sphinx/index.rst': `A course\n========\n\n${block}\n\n.. toctree::\n\n   other\n`,
    'sphinx/other.rst': `Another page\n============\n\n${block.replace(/ *<script.*\n/, '')}\n`,
  });
  expect(block).toContain('<script');
  const [source, built] = [join(folder, 'sphinx'), join(folder, 'sphinx-built')];
  execFileSync('sphinx-build', ['-q', '-W', '-b', 'html', source, built]);
  return Promise.all(
    ['index', 'other'].map(async (name) => {
      const page = await visit(`sphinx-built/${name}.html`);
      // One script, however many pages and blocks name it, and one element.
      expect(await page.locator('attention-lab').count()).toBe(1);
      await works(page, page.frameLocator('attention-lab iframe'), 'attention-lab');
    }),
  );
});

it('pandoc shows the raw block of Quarto, and its filter makes a lab of a link, which other formats keep', async () => {
  const { site } = embedding();
  // As the docs write it; the frame is as tall as the lab says in the end.
  const [, line = ''] = /^(\[[^\]]+\]\(\S+\)\{\.attention-lab[^}]*\})$/m.exec(docs) ?? [];
  const address = SNIPPETS.link(embedding());
  const link = line.replace(/\(\S+\)/, () => `(${address})`);
  expect(link).toContain(`](${address}){.attention-lab`);
  const filter = join(folder, 'attention-lab.lua');
  write({
    'attention-lab.lua': await (await fetch(`${site}attention-lab.lua`)).text(),
    'raw.md': `# A course\n\n${SNIPPETS.quarto(embedding())}\n`,
    'link.md': `# A course\n\n${link}\n\nAnd [one in a text](${address}){.attention-lab}.\n`,
  });
  const pandoc = (name: string, ...more: string[]): string =>
    execFileSync('pandoc', [join(folder, `${name}.md`), ...more], { encoding: 'utf8' });
  const alone = ['-s', '-t', 'html', '--metadata', 'title=A course'];
  write({
    'raw.html': pandoc('raw', ...alone),
    'link.html': pandoc('link', ...alone, '--lua-filter', filter),
  });
  for (const name of ['raw', 'link']) {
    const page = await visit(`${name}.html`);
    expect(await page.locator('attention-lab').count()).toBe(1);
    await works(page, page.frameLocator('attention-lab iframe'), 'attention-lab');
    // Where no script runs, the address is the same.
    expect(await page.locator('attention-lab a').getAttribute('href')).toBe(address);
  }
  const latex = pandoc('link', '-t', 'latex', '--lua-filter', filter);
  expect(latex.match(/\\href\{/g)).toHaveLength(2);
  expect(latex).not.toContain('attention-lab.js');
});

it('MyST builds the directive, and what its theme draws of it is the lab', async () => {
  write({
    'myst/tpl/template.yml': 'jtex: v1\ntitle: bare\nfiles: []\n',
    'myst/myst.yml': 'version: 1\nproject:\n  title: A course\nsite:\n  template: ./tpl\n',
    'myst/index.md': `# A course\n\n${SNIPPETS.myst(embedding())}\n`,
  });
  const cwd = join(folder, 'myst');
  const program = join(modules, 'mystmd/dist/myst.cjs');
  execFileSync(process.execPath, [program, 'build', '--site'], { cwd, stdio: 'pipe' });
  const { mdast } = JSON.parse(
    readFileSync(join(cwd, '_build/site/content/index.json'), 'utf8'),
  ) as { mdast: unknown };
  type Node = { type?: string; children?: Node[]; esm?: string; model?: object };
  const all = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(all)];
  const [widget, ...more] = all(mdast as Node).filter(({ type }) => type === 'anywidget');
  expect(more).toEqual([]);
  // The file is a copy in the book, alone.
  cpSync(join(cwd, '_build/site/public'), join(folder, 'book'), { recursive: true });
  expect(widget?.esm).toMatch(/^\/[\w.-]+$/);
  // What myst-theme does (packages/anywidget/src): `default.render`, an open shadow root, a model that only reads.
  write({
    'book/index.html': `<!doctype html><html lang="en"><title>A course</title><div id="widget"></div>
<script type="module">
  import widget from '.${widget?.esm}';
  const values = ${JSON.stringify(widget?.model)};
  const refuse = (name) => () => { throw new Error(name + ' is not there'); };
  const model = {
    get: (name) => values[name],
    set: refuse('set'), save_changes: refuse('save_changes'), send: refuse('send'),
    on: refuse('on'), off: refuse('off'),
    get widget_manager() { throw new Error('widget_manager is not there'); },
  };
  const root = document.querySelector('#widget').attachShadow({ mode: 'open' });
  const el = document.createElement('div');
  root.append(el);
  await widget.render({ model, el });
</script></html>`,
  });
  const page = await visit('book/index.html');
  await works(page, page.frameLocator('#widget iframe'), '#widget');
});

/** A page with a widget, as a notebook keeps it, which Jupyter's manager shows. */
function widgetPage(model: Readonly<Record<string, unknown>>): string {
  const state = {
    version_major: 2,
    version_minor: 0,
    state: {
      layout: {
        ...{ model_name: 'LayoutModel', model_module: '@jupyter-widgets/base' },
        ...{ model_module_version: '2.0.0', state: {} },
      },
      lab: {
        ...{ model_name: 'AnyModel', model_module: 'anywidget', model_module_version: '~0.11.*' },
        state: {
          ...{ _model_module: 'anywidget', _model_module_version: '~0.11.*' },
          ...{ _model_name: 'AnyModel', _view_module: 'anywidget', _view_name: 'AnyView' },
          ...{ _view_module_version: '~0.11.*', _view_count: null, _dom_classes: [] },
          ...{ layout: 'IPY_MODEL_layout', _anywidget_id: 'course.Lab', ...model },
        },
      },
    },
  };
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>A notebook</title>
<script src="require.js"></script>
<script>requirejs.config({ paths: { anywidget: 'anywidget' } });</script>
<script src="embed-amd.js"></script>
<div id="out"></div>
<script>
  const show = async ({ HTMLManager }, { requireLoader }) => {
    const manager = new HTMLManager({ loader: requireLoader });
    const models = await manager.set_state(${JSON.stringify(state).replaceAll('<', '\\u003c')});
    const view = await manager.create_view(models.find(({ model_id }) => model_id === 'lab'));
    await manager.display_view(view, document.getElementById('out'));
    return manager;
  };
  const names = ['@jupyter-widgets/html-manager', '@jupyter-widgets/html-manager/dist/libembed-amd'];
  // RequireJS does not take an async function for a function.
  window.manager = new Promise((resolve, reject) =>
    require(names, (...modules) => show(...modules).then(resolve, reject), reject));
</script></html>`;
}

it("Jupyter's widget manager shows the anywidget, keeps its work and turns its knobs", async () => {
  const copied = {
    'embed-amd.js': widgetManager(),
    'require.js': join(modules, 'requirejs/require.js'),
    'anywidget.js': join(modules, 'anywidget/dist/index.js'),
  };
  for (const [name, from] of Object.entries(copied)) {
    mkdirSync(join(folder, 'notebook'), { recursive: true });
    cpSync(from, join(folder, 'notebook', name));
  }
  const { site } = embedding();
  // As the lines of the docs: Python reads the file, and the widget holds its text.
  const _esm = await (await fetch(`${site}attention-lab.anywidget.js`)).text();
  const lab = { _esm, base: site, lab: 'kernel-trick', query: 'n=4&lock=n', height: 700 };
  const exercise = { _esm, base: site, exercise: 'stable-softmax', height: 700, state: null };
  write({
    'notebook/lab.html': widgetPage(lab),
    'notebook/exercise.html': widgetPage(exercise),
  });
  type Model = {
    get(name: string): unknown;
    set(name: string, value: unknown): void;
    save_changes(): void;
  };
  type Manager = Promise<{ get_model(id: string): Promise<Model> }>;
  const get = (page: Page, name: string) =>
    page.evaluate(async (key) => {
      const { manager } = window as unknown as { manager: Manager };
      return (await (await manager).get_model('lab')).get(key);
    }, name);

  const page = await visit('notebook/lab.html');
  const frame = page.frameLocator('#out iframe');
  await works(page, frame, '#out');
  const n = frame.locator('attn-slider input').first();
  expect(await n.inputValue()).toBe('4');
  await page.evaluate(async () => {
    const { manager } = window as unknown as { manager: Manager };
    (await (await manager).get_model('lab')).set('query', 'n=8&lock=n');
  });
  await expect.poll(() => n.inputValue()).toBe('8');

  // Work goes into the model with a Run, and comes back in another notebook.
  const first = await visit('notebook/exercise.html');
  const written = first.frameLocator('#out iframe');
  await written.getByRole('button', { name: 'Run', exact: true }).click();
  await expect.poll(() => get(first, 'score'), { timeout: 60_000 }).toBe(0);
  const state = await get(first, 'state');
  expect(state).toMatchObject({ attentionLabs: expect.stringMatching(/^AL1\./) });
  write({ 'notebook/again.html': widgetPage({ ...exercise, state }) });
  const again = await visit('notebook/again.html');
  await expect
    .poll(() => again.frameLocator('#out iframe').locator('.course-site').textContent(), {
      timeout: 60_000,
    })
    .toMatch(/^Handed to the course site .*0 %/);
});

it('a host of PreTeXt keeps the score and the work by the three messages of SPLICE', async () => {
  // PreTeXt writes the address into a frame, and Runestone answers (its splice-iframe.js): state goes and comes as it is.
  const { site } = embedding();
  const one = embedding({ lab: '', exercise: 'stable-softmax', query: '', title: 'Softmax' });
  const source = SNIPPETS.pretext(one);
  const [, address = ''] = /iframe="([^"]+)"/.exec(source) ?? [];
  write({
    'pretext/index.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>A book</title>
<script>
  window.rows = [];
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== document.querySelector('iframe').contentWindow || !data?.subject?.startsWith('SPLICE.')) return;
    const { subject, message_id } = data;
    const answer = (more) => source.postMessage({ subject: subject + '.response', message_id, ...more }, origin);
    if (subject === 'SPLICE.getState') answer({ state: JSON.parse(localStorage.getItem('state')) });
    if (subject === 'SPLICE.reportScoreAndState') {
      window.rows.push(data);
      localStorage.setItem('state', JSON.stringify(data.state));
      answer({ success: true });
    }
  });
</script>
<iframe id="softmax" width="900" height="700" src="${address}"></iframe></html>`,
  });
  expect(address.startsWith(site)).toBe(true);
  const page = await visit('pretext/index.html');
  const frame = page.frameLocator('iframe');
  const said = () => frame.locator('.course-site').textContent();
  await expect.poll(said).toMatch(/^What you do here is handed to the course site/);
  const rows = () =>
    page.evaluate(() => (window as unknown as { rows: { score: unknown }[] }).rows);
  // Nothing was run, so nothing is said of a score.
  expect((await rows()).filter(({ score }) => score !== null)).toEqual([]);
  await solve(page, frame, 'stable-softmax');
  await expect.poll(said, { timeout: 60_000 }).toMatch(/^Handed to the course site .*100 %/);
  const last = (await rows()).at(-1);
  expect(last).toMatchObject({
    ...{ subject: 'SPLICE.reportScoreAndState', score: 1, message_id: expect.any(String) },
    state: { complete: true, attentionLabs: expect.any(String) },
  });
  // The frame is loaded again, with nothing in its own storage.
  await page.evaluate(() => {
    const frame = document.querySelector('iframe') as HTMLIFrameElement;
    frame.src = frame.src.replace('v=1', 'v=1&keeper=0123456789abcdef');
  });
  const solution = new URL('../../web/exercises/stable-softmax/solution.py', import.meta.url);
  await expect.poll(() => codeIn(frame).catch(() => '')).toBe(readFileSync(solution, 'utf8'));
});
