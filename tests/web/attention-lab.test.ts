/** `<attention-lab>`: what its attributes ask for, whose turn it is, and the file that course pages load. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bundleElement } from '../../web/plugins/element';
import { addressOf, isOfQuery, OWN } from '../../web/src/embed/element/address';
import { BootQueue } from '../../web/src/embed/element/boot-queue';
import { languages } from '../../web/src/strings/language';
import { LAB_PAGES } from '../fuzz/targets/lab-pages';
import { budgets } from '../tools/budgets.mjs';

const BASE = 'https://host.example/attention%20labs/';
const address = (given: Record<string, string>, base = BASE, around = ''): string | undefined => {
  const asked = addressOf(Object.entries(given), base, around);
  return asked && asked.page + asked.search + asked.hash;
};

describe('the address', () => {
  it.each<[Record<string, string>, string]>([
    [{ lab: 'kernels' }, 'labs/kernels/index.html'],
    [{ lab: 'kernels', step: 'bandwidth' }, 'labs/kernels/index.html#bandwidth'],
    [
      { lab: 'kernels', map: 'relu', hide: 'seed,scale', class: 'wide', 'data-x': '1', style: '' },
      'labs/kernels/index.html?v=1&map=relu&hide=seed,scale',
    ],
    [
      { lab: 'kernels', query: '?v=1&D=3&random.most=256&n=8', n: '16' },
      'labs/kernels/index.html?v=1&D=3&random.most=256&n=16',
    ],
    [{ lab: 'kernels', lang: 'de-AT' }, 'de/labs/kernels/index.html'],
    [{ lab: 'kernels', lang: 'fr' }, 'labs/kernels/index.html'],
    [
      { exercise: 'stable-softmax', hide: 'solution', in: 'javascript' },
      'pages/exercises/index.html?v=1&id=stable-softmax&hide=solution&in=javascript',
    ],
  ])('%o is %s', (given, path) => {
    expect(address(given)).toBe(BASE + path);
  });

  it('speaks the language of the page around, unless it says its own', () => {
    expect(address({ lab: 'kernels' }, BASE, 'de-CH')).toBe(`${BASE}de/labs/kernels/index.html`);
    expect(address({ lab: 'kernels', lang: 'en' }, BASE, 'de')).toBe(
      `${BASE}labs/kernels/index.html`,
    );
  });

  it.each([
    [{ lab: '../evil' }, BASE],
    [{ lab: 'a/b' }, BASE],
    [{ exercise: 'a&b' }, BASE],
    [{ lab: '' }, BASE],
    [{}, BASE],
    [{ lab: 'kernels' }, 'data:text/javascript,1'],
    [{ lab: 'kernels' }, 'blob:https://host.example/1'],
    [{ lab: 'kernels' }, 'file:///labs/'],
    [{ lab: 'kernels' }, 'no address'],
  ])('%o at %s is none', (given, base) => {
    expect(address(given as Record<string, string>, base)).toBeUndefined();
  });

  it('takes every knob of every lab that has a name of its own, and the query the others', () => {
    const taken = LAB_PAGES.flatMap(({ figures }) =>
      figures.flatMap(({ id, table }) =>
        Object.values(table).map(({ key }) => (id ? `${id}.${key}` : key)),
      ),
    ).filter((key) => !isOfQuery(key.toLowerCase()));
    // The element's own names are short, so that few knobs have them; an attribute of every element is none of ours.
    expect(taken.filter((key) => !(OWN as readonly string[]).includes(key))).toEqual([]);
    for (const key of taken) {
      expect(address({ lab: 'kernels', query: `${key}=3` })).toBe(
        `${BASE}labs/kernels/index.html?v=1&${key}=3`,
      );
    }
    for (const name of OWN) expect(isOfQuery(name), name).toBe(false);
    for (const name of ['hide', 'lock']) expect(isOfQuery(name), name).toBe(true);
  });
});

describe('the queue', () => {
  it('starts two at a time, in their order, and forgets who has left', () => {
    const queue = new BootQueue(2);
    const started: number[] = [];
    const leave = Array.from({ length: 6 }, (_, i) => queue.enter(() => void started.push(i)));
    expect(started).toEqual([0, 1]);
    // Whoever leaves before its turn takes nobody's place.
    leave[2]?.();
    leave[0]?.();
    expect(started).toEqual([0, 1, 3]);
    leave[0]?.();
    leave[2]?.();
    expect(started).toEqual([0, 1, 3]);
    leave[1]?.();
    leave[3]?.();
    expect(started).toEqual([0, 1, 3, 4, 5]);
  });
});

describe('the file', async () => {
  const code = await bundleElement('1.2.3');

  it('is one, within its budget, and says its version', () => {
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(budgets.element);
    expect(code).toContain('1.2.3');
    expect(code).not.toMatch(/\bimport\s*[({'"]|\bimport\s+\w/);
    // It knows where it was loaded from.
    expect(code).toContain('import.meta.url');
    // Neither `eval` nor what needs `style-src`.
    expect(code).not.toMatch(/\beval\(|new Function|<style|setAttribute\(.style/);
    for (const id of Object.keys(languages)) expect(code).toContain(`${id}:{`);
  });

  it('is imported in Node without a trace', () => {
    const folder = mkdtempSync(join(tmpdir(), 'attention-lab-'));
    try {
      writeFileSync(join(folder, 'attention-lab.mjs'), code);
      writeFileSync(
        join(folder, 'page.mjs'),
        `const before = Object.keys(globalThis).join();
        const { AttentionLab } = await import('./attention-lab.mjs');
        console.log(AttentionLab.version, Object.keys(globalThis).join() === before);`,
      );
      const said = execFileSync(process.execPath, [join(folder, 'page.mjs')], { encoding: 'utf8' });
      expect(said.trim()).toBe('1.2.3 true');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
