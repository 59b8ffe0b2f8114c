import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AttnTestReport, LineDetail } from '../../web/src/components/test-report/test-report';
import '../../web/src/components/test-report/test-report';
import type { ArrayValue, CaseReport, Grade } from '../../web/src/exercises/types';
import { exercise } from '../web/judge_fixture';
import { all, details, inEveryLook, inside, show, textOf, violations } from './support';

const array = (...data: number[]): ArrayValue => ({
  ...{ kind: 'array', dtype: 'float64', shape: [2, data.length / 2] },
  data: Float64Array.from(data),
});
const counts = { multiplyAdds: 0, touched: 0, bytes: 0, largest: 0 };
const args = [array(1, 2, 3, 4)];
const right: CaseReport = {
  ...{ name: 'by hand', hidden: false, passed: true, args, expected: array(1, 2, 3, 4) },
  outcome: { value: array(1, 2, 3, 4), prints: '', counts, milliseconds: 1 },
};
const wrong: CaseReport = {
  ...{ name: 'two rows', hidden: false, passed: false, args, expected: array(1, 2, 3, 4) },
  outcome: { value: array(1, 2, 3, 9), prints: 'rows 2\n', counts, milliseconds: 1 },
  mismatch: {
    ...{
      reason: 'value',
      part: '',
      message: 'Entry [1, 1] is 9.000, not 4.000; 1 of 4 entries differ.',
    },
    ...{ index: [1, 1], wrong: 1, of: 4, maxAbsolute: 5, maxRelative: 1.25 },
    ...{ actual: array(1, 2, 3, 9), expected: array(1, 2, 3, 4) },
  },
};
const raised: CaseReport = {
  ...{ name: 'large', hidden: false, passed: false, args, expected: array(1, 2, 3, 4) },
  outcome: {
    ...{ prints: '', counts, milliseconds: 1 },
    error: { type: 'ValueError', message: 'not like this', line: 3 },
  },
};
const hidden: CaseReport = { ...wrong, name: 'random', hidden: true };
const grade: Grade = {
  ...{ exercise: exercise.id, language: 'python', passed: false, prints: '', seed: 7 },
  cases: [right, wrong, raised, hidden],
};
const report = (properties: Partial<AttnTestReport> = {}) =>
  show('attn-test-report', { ...{ grade, exercise }, ...properties }, 700);
const cases = (of: AttnTestReport): HTMLElement[] => all(of, '.cases > li');
const isOpen = (of: AttnTestReport, at: number): boolean | undefined =>
  cases(of)[at]?.querySelector('details')?.open;

describe('a test report', () => {
  it('names each state in words, opens the first failed case, and hides the numbers of hidden cases', async () => {
    const shown = await report();
    expect(all(shown, '.cases .state').map(textOf)).toEqual([
      'Passed',
      'Failed',
      'Failed',
      'Failed',
    ]);
    expect([0, 1, 2].map((at) => isOpen(shown, at))).toEqual([false, true, false]);
    expect(cases(shown)[3]?.querySelector('details')).toBeNull();
    expect(textOf(cases(shown)[3])).toContain('hidden');
    const open = textOf(cases(shown)[1]?.querySelector('.body'));
    for (const words of [
      'Entry [1, 1] is 9.000, not 4.000',
      'First difference at[1, 1]',
      'Entries that differ1 of 4',
      'Largest absolute error of these5.00',
      'rows 2',
    ]) {
      expect(open).toContain(words);
    }
    expect(page.getByRole('group', { name: 'Yours, as numbers' }).query()).not.toBeNull();
    const delta = inside(shown, 'attn-heatmap') as HTMLElementTagNameMap['attn-heatmap'];
    expect([...(delta.matrix?.data ?? [])]).toEqual([0, 0, 0, 5]);
    // Rows and columns are counted from 0, as they are in code.
    expect(delta.origin).toBe(0);
  });

  it('keeps the opened cases when the mistake is recognised, and starts afresh with another run', async () => {
    const shown = await report();
    await userEvent.click(page.getByText('large', { exact: true }));
    await expect.poll(() => isOpen(shown, 2)).toBe(true);
    await userEvent.click(page.getByText('two rows'));
    await expect.poll(() => isOpen(shown, 1)).toBe(false);
    shown.grade = { ...grade, variant: { id: 'columns', message: 'You took the columns.' } };
    await shown.updateComplete;
    expect(textOf(inside(shown, '.message'))).toBe('A mistake we know You took the columns.');
    expect([1, 2].map((at) => isOpen(shown, at))).toEqual([false, true]);
    shown.grade = { ...grade, cases: [...grade.cases] };
    await shown.updateComplete;
    expect([1, 2].map((at) => isOpen(shown, at))).toEqual([true, false]);
  });

  it('links to the line of an error', async () => {
    const shown = await report({ grade: { ...grade, cases: [raised] } });
    const lines = details<LineDetail>(shown, 'attn-line');
    await userEvent.click(page.getByRole('button', { name: 'Go to line 3' }));
    expect(lines).toEqual([{ line: 3 }]);
    expect(textOf(inside(shown, '.why'))).toContain('ValueError: not like this');
  });

  it('shows hidden numbers once the visible cases pass, and says that the code has changed since', async () => {
    const shown = await report({ grade: { ...grade, cases: [right, hidden] }, stale: true });
    expect(isOpen(shown, 1)).toBe(true);
    expect(textOf(inside(shown, '.stale'))).toContain('You have changed your code since.');
  });

  it('draws the cost of a function beside the cost that is allowed', async () => {
    const cost = {
      ...{ passed: false, slope: 2, maxSlope: 1.3, message: 'It grows like n².' },
      points: [16, 32, 64].map((n) => ({
        n,
        work: n ** 2,
        counts: { ...counts, touched: n ** 2 },
      })),
    };
    const shown = await report({ grade: { ...grade, cases: [right], cost } });
    const place = inside(shown, '.cost');
    expect(textOf(place)).toContain('Too high. It grows like n².');
    expect(textOf(place)).toContain('Fitted slope 2.00; at most 1.30 is allowed.');
    const chart = inside(shown, 'attn-line-chart') as HTMLElementTagNameMap['attn-line-chart'];
    expect(chart.series.map(({ points }) => points.map(({ y }) => Math.round(y)))).toEqual([
      [256, 1024, 4096],
      [256, 630, 1552],
    ]);
    await inEveryLook(async (look) => expect(await violations(shown), look).toEqual([]));
  });

  it('passes axe with arrays, printed text and an error', async () => {
    const shown = await report();
    await userEvent.click(page.getByText('large', { exact: true }));
    await inEveryLook(async (look) => expect(await violations(shown), look).toEqual([]));
  });
});
