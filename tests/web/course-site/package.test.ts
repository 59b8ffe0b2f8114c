/** A lab as a package for a learning system: which files, what the manifest says, what is refused. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import {
  filesOfLab,
  makePackage,
  type PackageOptions,
  type SiteFile,
} from '../../../web/src/embed/package/package';
import type { ShellOptions } from '../../../web/src/embed/package/shell';
import { placeOf } from '../../../web/tools/package.mjs';

const site: Readonly<Record<string, string>> = {
  'index.html': '<script src="./assets/home-1.js">',
  'theme.js': '// theme',
  'licenses.txt': 'MIT',
  'favicon.svg': '<svg/>',
  'sandbox/frame.js': '// frame',
  'labs/kernels/index.html':
    '<title>K</title><script src="../../theme.js"></script><script src="../../assets/kernels-1.js"></script>',
  'labs/other/index.html': '<script src="../../assets/other-1.js">',
  'pages/exercises/index.html': '<link href="../../assets/exercises-1.css">',
  'de/labs/kernels/index.html': '<script src="../../../assets/kernels-de-1.js">',
  'de/pages/exercises/index.html': '<link href="../../../assets/exercises-1.css">',
  'assets/kernels-1.js': 'import("./figure-1.js"); const a = "../sandbox/frame.js"',
  'assets/kernels-de-1.js': 'import("./figure-1.js")',
  'assets/figure-1.js':
    'new URL("core-1.wasm", import.meta.url); import "./kernels-1.js"; import("./trained-1.js")',
  'assets/trained-1.js': 'const a = ""+new URL(`model-1.safetensors`,import.meta.url).href',
  'assets/model-1.safetensors': 'weights',
  'assets/other-1.js': '',
  'assets/home-1.js': '',
  'assets/core-1.wasm': '\0asm other-1.js',
  'assets/exercises-1.css': 'url(./font-1.woff2)',
  'assets/font-1.woff2': 'font',
};
const paths = Object.keys(site);
const read = (path: string): Uint8Array => strToU8(site[path] ?? '');

const options = {
  ...{ scorm: '1.2', lab: 'kernels', title: 'Kernels & <more>', version: '1.2.3' },
  shell: '/* shell */',
} as const satisfies PackageOptions;
const files = (lab = 'kernels', language: 'en' | 'de' = 'en'): Promise<SiteFile[]> =>
  filesOfLab({ lab, language }, paths, read);
const unzipped = (zip: Uint8Array): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(zip)).map(([path, bytes]) => [path, strFromU8(bytes)]),
  );
const shellOptions = (page = ''): ShellOptions =>
  JSON.parse(/id="package">(.*?)<\/script>/s.exec(page)?.[1] ?? '') as ShellOptions;

describe('the files of a lab', () => {
  it('are what its page names, and what is named there', async () => {
    const found = await files();
    const whole = found.filter(({ path, bytes }) => strFromU8(bytes) === site[path]);
    expect(whole.map(({ path }) => path).sort()).toEqual([
      'assets/core-1.wasm',
      'assets/exercises-1.css',
      'assets/figure-1.js',
      'assets/font-1.woff2',
      'assets/kernels-1.js',
      'assets/model-1.safetensors',
      'assets/trained-1.js',
      'labs/kernels/index.html',
      'licenses.txt',
      'pages/exercises/index.html',
      'sandbox/frame.js',
      'theme.js',
    ]);
  });

  it('have a line in place of every page that is left out, so that no link leads nowhere', async () => {
    const found = new Map((await files()).map(({ path, bytes }) => [path, strFromU8(bytes)]));
    for (const path of ['index.html', 'labs/other/index.html', 'de/labs/kernels/index.html']) {
      expect(found.get(path)).toMatch(/not part of the package/);
    }
  });

  it('are those of one language', async () => {
    const names = (await files('kernels', 'de')).map(({ path }) => path);
    expect(names).toContain('assets/kernels-de-1.js');
    expect(names).not.toContain('assets/other-1.js');
    await expect(files('nothing')).rejects.toThrow('the site has no page labs/nothing/index.html');
  });
});

describe.each(['1.2', '2004'] as const)('a package for SCORM %s', (scorm) => {
  it('has a manifest at its root that lists every file once, and one page to launch', async () => {
    const zip = unzipped(makePackage(await files(), { ...options, scorm }));
    expect(Object.keys(zip)[0]).toBe('imsmanifest.xml');
    const manifest = zip['imsmanifest.xml'] ?? '';
    const listed = [...manifest.matchAll(/<file href="([^"]+)"\/>/g)].map(([, path]) => path);
    expect([...listed].sort()).toEqual(
      Object.keys(zip)
        .filter((path) => path !== 'imsmanifest.xml')
        .sort(),
    );
    expect(manifest.match(/<item /g)).toHaveLength(1);
    expect(manifest.match(/<resource /g)).toHaveLength(1);
    expect(manifest).toContain('href="package.html">');
    expect(manifest).toMatch(scorm === '1.2' ? /scormtype="sco"/ : /scormType="sco"/);
    expect(manifest).toContain(
      `<schemaversion>${scorm === '1.2' ? '1.2' : '2004 4th Edition'}</schemaversion>`,
    );
    expect(manifest).toContain('<title>Kernels &amp; &lt;more&gt;</title>');
    expect(manifest).not.toMatch(/mastery|\.mjs/i);
    // Every element is closed, in its order.
    const open: string[] = [];
    for (const [, end, name = '', alone] of manifest.matchAll(/<(\/?)([\w:]+)[^>]*?(\/?)>/g)) {
      if (end) expect(open.pop()).toBe(name);
      else if (!alone) open.push(name);
    }
    expect(open).toEqual([]);
  });

  it('says what counts and what is hidden in the address of the lab', async () => {
    const asked = { steps: ['points', 'lifted'], exercises: ['gram-matrix'], hide: ['seed'] };
    const zip = unzipped(makePackage(await files(), { ...options, ...asked, scorm }));
    expect(shellOptions(zip['package.html'])).toMatchObject({
      scorm,
      page: 'labs/kernels/index.html?v=1&steps=points,lifted&exercises=gram-matrix&hide=seed',
      title: 'Kernels & <more>',
    });
    expect(zip['package.html']).not.toContain('<more>');
    expect(zip['package.js']).toBe(options.shell);
  });

  it('says what was turned, and where it begins, as the link does', async () => {
    const asked = { query: 'v=1&n=64&map=a%26b&hide=old&host=x', step: 'lifted', hide: ['seed'] };
    const zip = unzipped(makePackage(await files(), { ...options, ...asked, scorm }));
    expect(shellOptions(zip['package.html']).page).toBe(
      'labs/kernels/index.html?v=1&n=64&map=a%26b&hide=seed#lifted',
    );
  });

  it('or holds an exercise alone', async () => {
    const found = await filesOfLab({ lab: '' }, paths, read);
    const asked = { lab: '', exercise: 'gram-matrix', query: 'hide=solution&id=other' };
    const zip = unzipped(makePackage(found, { ...options, ...asked, scorm }));
    expect(shellOptions(zip['package.html']).page).toBe(
      'pages/exercises/index.html?v=1&id=gram-matrix&hide=solution',
    );
    expect(zip['imsmanifest.xml']).toContain('identifier="attention-labs-gram-matrix"');
    expect(zip['labs/kernels/index.html']).toMatch(/not part of the package/);
  });

  it('or leads to another host, in ten kilobytes', () => {
    const remote = 'https://your.site/attention-labs';
    const zip = makePackage([], { ...options, scorm, remote, language: 'de' });
    expect(zip.length).toBeLessThan(10_240);
    const found = unzipped(zip);
    expect(Object.keys(found)).toEqual(['imsmanifest.xml', 'package.html', 'package.js']);
    expect(shellOptions(found['package.html']).page).toBe(
      'https://your.site/attention-labs/de/labs/kernels/index.html',
    );
  });
});

it('is written into the folder that is named, or as the file', () => {
  const name = 'kernels-en-scorm-1.2.zip';
  expect(placeOf(undefined, name)).toBe(name);
  expect(placeOf('week 3.zip', name)).toBe('week 3.zip');
  expect(placeOf('course/week-3/', name)).toBe(join('course', 'week-3', name));
  expect(placeOf(tmpdir(), name)).toBe(join(tmpdir(), name));
});

it('the same files and options give the same bytes', async () => {
  const [one, other] = [await files(), await files()];
  expect(makePackage(one, options)).toEqual(makePackage(other.reverse(), options));
  // The hours of a zip are those of a clock on a wall.
  const zone = process.env.TZ;
  const zips = ['Pacific/Auckland', 'America/Los_Angeles'].map((place) => {
    process.env.TZ = place;
    return makePackage(one, options);
  });
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
  expect(zips[0]).toEqual(zips[1]);
});

it('what a learning system would not serve, or not find, is refused', async () => {
  const all = await files();
  const bytes = strToU8('');
  for (const path of ['assets/x.mjs', 'a b.js', '/etc/x.js', '../x.js']) {
    expect(() => makePackage([...all, { path, bytes }], options)).toThrow('cannot be in a package');
  }
  expect(() => makePackage([], options)).toThrow('not among the files');
  for (const remote of ['http://your.site/', 'your.site', '']) {
    expect(() => makePackage([], { ...options, remote })).toThrow(/^remote: /);
  }
  expect(() => makePackage(all, { ...options, steps: ['a&b'] })).toThrow('steps: a&b is no name');
  expect(() => makePackage(all, { ...options, step: '../x' })).toThrow('step: ../x is no name');
});
