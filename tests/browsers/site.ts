/**
 * Serves the built site under the README's policy, with one more script in every page that notes what goes wrong
 * there, and beside it, on another origin, a course page with one of them in an
 * iframe.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildSite, dist } from '../../web/tools/build.mjs';
import { serve } from '../../web/tools/serve.mjs';
import { embeddedLab, heightListener, strictCsp } from '../tools/readme.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the site's root. */
    readonly noted: string;
    /** The address of the course; the path of a page of the site after it shows that page in an iframe. */
    readonly course: string;
  }
}

const collector = readFileSync(new URL('collector.js', import.meta.url), 'utf8');

/** Puts the collector into a page, before all other scripts. */
function withCollector(html: string, script: string): string {
  const [head] = /<head[^>]*>/.exec(html) ?? [];
  if (!head) throw new Error('a page without <head>');
  return html.replace(head, `${head}${script}`);
}

/** A page that does everything that a page must not do. */
const broken = `console.error('said');
setTimeout(() => { throw new Error('thrown'); });
Promise.reject(new Error('refused'));
document.body.append(Object.assign(new Image(), { src: 'no-such-picture.png' }));
document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/elsewhere.png' }));`;

/** The README's lines in a course page around another page of the site, which begins with `to`. */
function coursePage(to: string): string {
  const lab = embeddedLab();
  const [address = ''] = /https:[^"]+/.exec(lab) ?? [];
  return `<!doctype html>
<html lang="en"><head><script>${collector}</script><meta charset="utf-8"><title>Week 3</title>
<link rel="icon" href="data:,"></head>
<body>${heightListener()}${lab.replace(address, to)}</body></html>`;
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  buildSite();
  const folder = mkdtempSync(join(tmpdir(), 'attention-labs-browsers-'));
  cpSync(dist, folder, { recursive: true });
  writeFileSync(join(folder, 'collector.js'), collector);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  // The sandbox's frame stays as it is: it has no origin, and what runs there is told to the page by messages.
  for (const name of names.filter((one) => /\.html$/.test(one) && !/^sandbox\b/.test(one))) {
    const up = '../'.repeat(name.split(/[\\/]/).length - 1);
    const file = join(folder, name);
    const script = `<script src="${up}collector.js"></script>`;
    writeFileSync(file, withCollector(readFileSync(file, 'utf8'), script));
  }
  writeFileSync(join(folder, 'broken.js'), broken);
  writeFileSync(
    join(folder, 'broken.html'),
    `<!doctype html><html lang="en"><head><script src="collector.js"></script><title>Broken</title></head>
<body><script src="broken.js"></script></body></html>`,
  );

  const site = await serve({ root: folder, csp: strictCsp, basePath: '/course/week 3/' });
  const url = site.url.replace(/ /g, '%20');
  // The path of the course's page is that of the page in its frame.
  const course = createServer((request, response) => {
    const html = coursePage(url + (request.url ?? '/').slice(1));
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(html);
  });
  await new Promise<void>((done) => course.listen(0, '127.0.0.1', done));
  provide('noted', url);
  // Another port and another name: another origin, and another site.
  provide('course', `http://localhost:${(course.address() as AddressInfo).port}/`);
  return async () => {
    course.closeAllConnections();
    course.close();
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
