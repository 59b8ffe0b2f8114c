/** Collects the violations that axe finds on a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type WithAxe = typeof window & { axe?: { run(options: RunOptions): Promise<AxeResults> } };

async function found(page: Page, options: RunOptions): Promise<string[]> {
  // axe is injected through the debugger, because the page's policy does not apply to the debugger.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const violated = await page.evaluate(async (asked) => {
    // What passes is not described, and the page sends only what it violates: the whole report of a lab has megabytes.
    const results = await (window as WithAxe).axe?.run({ ...asked, resultTypes: ['violations'] });
    return results?.violations.map(({ id, help, nodes }) => ({
      ...{ id, help },
      nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
    }));
  }, options);
  return (violated ?? [{ id: 'axe', help: 'did not run', nodes: [] }]).map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map((node) => `  ${node.target.join(' ')}\n  ${node.failureSummary}`).join('\n')}`,
  );
}

export const violations = (page: Page): Promise<string[]> => found(page, {});

const ofColours = ['color-contrast', 'link-in-text-block'];

/** Checks only what another theme can change: contrast, and links that are recognised by their colour. */
export const colourViolations = (page: Page): Promise<string[]> =>
  found(page, { runOnly: { type: 'rule', values: ofColours } });

/** Checks only what another width or language can change, which takes half of the time. */
export const violationsBesideColours = (page: Page): Promise<string[]> =>
  found(page, { rules: Object.fromEntries(ofColours.map((id) => [id, { enabled: false }])) });
