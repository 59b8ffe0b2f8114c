// What the README gives to those who embed a lab. The tests take it from there, so that what they show is
// what the README says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../wasm/tools/process.mjs';

/** The one fenced block of the README whose text matches. */
function block(matching) {
  const blocks = [
    ...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```\w*\n(.*?)^```$/gms),
  ]
    .map(([, text]) => text)
    .filter((text) => matching.test(text));
  if (blocks.length !== 1) {
    throw new Error(`README.md has ${blocks.length} blocks that match ${matching}; wanted: 1`);
  }
  return blocks[0];
}

/** The Content-Security-Policy under which the site is served to the tests. */
export const strictCsp = block(/^Content-Security-Policy:/)
  .replace(/^Content-Security-Policy:/, '')
  .replace(/\s+/g, ' ')
  .trim();

/** The markup that embeds a lab: its iframe. */
export const embeddedLab = () => block(/^<iframe /);

/** The script of the page around the lab, which gives the iframe its height. */
export const heightListener = () => block(/^<script>/);

/** A page of an instructor's own that keeps a grade. */
export const gradedLab = () => block(/^<script type="module" src=/);
