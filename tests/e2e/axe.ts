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
  const results = await page.evaluate((asked) => (window as WithAxe).axe?.run(asked), options);
  return (results?.violations ?? [{ id: 'axe', help: 'did not run', nodes: [] }]).map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map((node) => `  ${node.target.join(' ')}\n  ${node.failureSummary}`).join('\n')}`,
  );
}

export const violations = (page: Page): Promise<string[]> => found(page, {});

/** Checks only what another theme can change: contrast, and links that are recognised by their colour. */
export const colourViolations = (page: Page): Promise<string[]> =>
  found(page, { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } });
