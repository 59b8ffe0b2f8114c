/** docs/embedding.md: what it shows is what the page `Embed` says, and its recipe does what it promises. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { type Embedding, SNIPPETS, type SnippetId } from '../../web/pages/embed/snippets';
import { OWN } from '../../web/src/embed/element/address';
import { defineState } from '../../web/src/state/url';
import { LAB_PAGES } from '../fuzz/targets/lab-pages';
import { LABS } from '../lab-figures';

const docs = readFileSync(new URL('../../docs/embedding.md', import.meta.url), 'utf8');

const shown: Embedding = {
  ...{ site: 'https://your.site/attention-labs/', language: 'en' },
  ...{ lab: 'kernel-trick', exercise: '', step: 'brackets', query: 'n=4&hide=seed,numbers' },
  ...{ title: 'The kernel trick', height: 800, width: 0 },
};

it.each((Object.keys(SNIPPETS) as SnippetId[]).filter((id) => id !== 'link'))(
  'shows the lines for %s as the page says them',
  (id) => {
    expect(docs).toContain(`\n${SNIPPETS[id](shown)}\n`);
  },
);

it('names a lab and a step that there are', () => {
  const lab = LABS.find(({ id }) => id === shown.lab);
  const places = lab?.steps.flatMap(({ id, blocks }) => [
    id,
    ...blocks.flatMap((block) => (block.kind === 'figure' ? [block.figure.id] : [])),
  ]);
  expect(places).toContain(shown.step);
});

it('names knobs and values that the opening of that lab takes', () => {
  const opening = LAB_PAGES.find(({ id }) => id === shown.lab)?.figures[0];
  expect(opening?.id).toBe('');
  const { problems, others } = defineState(opening?.table ?? {}).parse(`?v=1&${shown.query}`);
  expect(problems.map(({ message }) => message)).toEqual([]);
  expect(others).toEqual([]);
});

it('names every attribute of the element', () => {
  for (const name of OWN) expect(docs).toContain(`\`${name}\``);
});

it('publishes a release, and keeps the files of the one before for a month', () => {
  const [, recipe = ''] = /```sh\n(mkdir[\s\S]*?)```/.exec(docs) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'attention-labs-deploy-'));
  const [OLD, built] = [join(folder, 'served site'), join(folder, 'built')];
  const write = (root: string, files: Record<string, string>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  const publish = (files: Record<string, string>): void => {
    rmSync(built, { recursive: true, force: true });
    write(built, files);
    execFileSync('sh', ['-euc', recipe], { env: { ...process.env, OLD, NEW: built } });
  };
  const read = (path: string): string | undefined =>
    existsSync(join(OLD, path)) ? readFileSync(join(OLD, path), 'utf8') : undefined;
  const age = (path: string, days: number): void => {
    const then = Date.now() / 1000 - days * 86_400;
    utimesSync(join(OLD, path), then, then);
  };
  try {
    mkdirSync(OLD);
    const same = { 'assets/same-1.js': 'same' };
    publish({ 'index.html': 'one', 'labs/a/index.html': 'one', 'assets/a-1.js': '1', ...same });
    age('assets/a-1.js', 20);
    age('assets/same-1.js', 200);
    publish({ 'index.html': 'two', 'labs/a/index.html': 'two', 'assets/a-2.js': '2', ...same });
    expect([read('index.html'), read('labs/a/index.html')]).toEqual(['two', 'two']);
    expect([read('assets/a-1.js'), read('assets/a-2.js'), read('assets/same-1.js')]).toEqual([
      ...['1', '2', 'same'],
    ]);
    age('assets/a-1.js', 40);
    publish({ 'index.html': 'three', 'assets/a-3.js': '3', ...same });
    // The release before is still there, and the one before that is not.
    expect([read('assets/a-1.js'), read('assets/a-2.js'), read('assets/a-3.js')]).toEqual([
      ...[undefined, '2', '3'],
    ]);
    expect(read('assets/same-1.js')).toBe('same');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
