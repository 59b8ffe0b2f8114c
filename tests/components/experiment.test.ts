import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { LabExperiment } from '../../web/src/lab/experiment/experiment';
import { keptRuns } from '../../web/src/lab/experiment/kept-runs';
import type { Shown } from '../../web/src/lab/figure/figure';
import { slider } from '../../web/src/lab/figure/knob';
import type { FigureData } from '../../web/src/lab/types';
import { integer, type StateOf } from '../../web/src/state/url';
import { labFigure } from './lab-figure';

const table = { n: integer({ key: 'n', min: 2, max: 64, default: 8 }) };
type Values = StateOf<typeof table>;

/** An experiment that begins with three rows of an earlier run, and makes another when the test says so. */
@customElement('attn-experiment-under-test')
class ExperimentUnderTest extends LabExperiment<number, typeof table> {
  override readonly table = table;
  protected override readonly keepsRows = true;
  readonly drawn: number[] = [];
  next = (): void => undefined;
  override get heading(): string {
    return 'Rows';
  }
  protected override describe({ n }: Values): string {
    return `n = ${n}`;
  }
  protected override beginning(): Promise<readonly number[]> {
    return Promise.resolve([1, 2, 3]);
  }
  protected override async *sweep() {
    await new Promise<void>((done) => {
      this.next = done;
    });
    yield { row: 4, fraction: 1 };
  }
  protected override get controls() {
    return [slider('n', { label: 'tokens' })];
  }
  protected override renderResult({ result }: Shown<Values, readonly number[]>): unknown {
    if (this.drawn.at(-1) !== result.length) this.drawn.push(result.length);
    return html`<p class="result">${result.join(' ')}</p>`;
  }
  protected override caption(): string {
    return 'Rows.';
  }
  protected override data({ result }: Shown<Values, readonly number[]>): FigureData {
    return { columns: ['row'], rows: result.map((row) => [row]) };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-experiment-under-test': ExperimentUnderTest;
  }
}

/** One that draws a chart, and knows how much it has to run. */
@customElement('attn-estimate-under-test')
class EstimateUnderTest extends ExperimentUnderTest {
  protected override get axes() {
    return { x: 'steps', y: 'loss' };
  }
  protected override get estimate(): string {
    return '18 trainings';
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-estimate-under-test': EstimateUnderTest;
  }
}

it('says before the first run how long it takes, on the axes that it will fill', async () => {
  const before = (element: Element): string =>
    (element.querySelector('.before-run')?.textContent ?? '').replace(/\s+/g, ' ').trim();
  const runTimes = { cpu: 'Abacus', browser: 'Lynx 2', seconds: { one: 6.2, other: 9 } };
  const plain = labFigure('attn-experiment-under-test', {});
  await expect.poll(() => before(plain)).toMatch(/draws the result here\.$/);
  plain.runTimes = runTimes;
  await expect
    .poll(() => before(plain))
    .toMatch(/here\. On Abacus in Lynx 2 it took about 6 seconds\.$/);
  const chart = labFigure('attn-estimate-under-test', {});
  chart.runTimes = runTimes;
  await expect.poll(() => before(chart)).toBe('loss 18 trainings steps');
});

it('begins with the rows of an earlier run together, keeps them at once, and adds to them', async () => {
  const lab = `test-${crypto.randomUUID()}`;
  const element = labFigure('attn-experiment-under-test', { lab });
  await userEvent.click(page.getByRole('button', { name: 'Run', exact: false }));
  await expect.poll(() => element.querySelector('.result')?.textContent).toBe('1 2 3');
  const kept = async () => (await keptRuns<number>(lab, 'one')).map(({ rows }) => rows);
  await expect.poll(kept).toEqual([[1, 2, 3]]);
  element.next();
  await expect.poll(() => element.querySelector('.result')?.textContent).toBe('1 2 3 4');
  await expect.poll(kept).toEqual([[1, 2, 3, 4]]);
  expect(element.drawn).toEqual([3, 4]);
});
