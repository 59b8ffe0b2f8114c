import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import '../../web/src/components/exercise/at-hand';
import type { AttnAtHand } from '../../web/src/components/exercise/at-hand';
import { python } from '../../web/src/exercises/at-hand/python';
import type { Exercise } from '../../web/src/exercises/types';
import { exercise as fixture } from '../web/judge_fixture';
import { all, details, inEveryLook, inside, show, textOf, violations } from './support';

const exercise: Exercise = {
  ...fixture,
  entry: 'masked_scores',
  parameters: [
    { name: 'Q', type: 'matrix', shape: 'n×d_k', what: 'the queries' },
    { name: 'heads', type: 'stack', shape: 'h×n×d_v', what: 'the heads' },
    { name: 'block_size', type: 'integer', what: 'keys of a block' },
    { name: 'mask', type: 'matrix', shape: 'n×m', what: '0 is blocked', default: null },
  ],
};

async function card(language: AttnAtHand['language']): Promise<AttnAtHand> {
  const shown = await show('attn-at-hand', { exercise, language }, 560);
  await expect.poll(() => all(shown, '.names dt').length).toBeGreaterThan(20);
  return shown;
}
const names = (of: AttnAtHand): string[] => all(of, '.names dt').map(textOf);

describe('the card of what there is', () => {
  it.each([
    [
      'python',
      'def masked_scores(Q, heads, block_size, mask=None)',
      [
        'ndarray n×dk: the queries',
        'ndarray h×n×dv: the heads',
        'int: keys of a block',
        'ndarray or None n×m: 0 is blocked',
      ],
      'block_size',
    ],
    [
      'javascript',
      'function maskedScores(Q, heads, blockSize, mask = null)',
      [
        'Matrix n×dk: the queries',
        'Matrix[] h×n×dv: the heads',
        'number: keys of a block',
        'Matrix or null n×m: 0 is blocked',
      ],
      'blockSize',
    ],
    [
      'cpp',
      'inline Array masked_scores(const Array& Q, const Array& heads, std::int64_t block_size,',
      [
        'Array n×dk: the queries',
        'Array h×n×dv: the heads',
        'std::int64_t: keys of a block',
        'std::optional<Array> n×m: 0 is blocked',
      ],
      'block_size',
    ],
  ] as const)(
    'says in %s what the function takes, and of which type',
    async (language, head, types, name) => {
      const shown = await card(language);
      expect(textOf(inside(shown, '.head'))).toContain(head);
      expect(all(shown, '.at-hand > dl dd').map(textOf)).toEqual([...types]);
      expect(all(shown, '.at-hand > dl dt').map(textOf)).toContain(name);
    },
  );

  it('lists all lines, and those that are searched for', async () => {
    const shown = await card('python');
    const lines = python.flatMap(({ entries }) => entries);
    expect(names(shown)).toHaveLength(lines.length);
    await userEvent.fill(page.getByRole('searchbox', { name: 'Search' }), 'np.nan mean');
    await expect.poll(() => names(shown).length).toBe(1);
    expect(names(shown)[0]).toContain('np.nanmean');
    expect(textOf(inside(shown, '[role=status]'))).toBe(`1 of ${lines.length} lines fit.`);
  });

  it('follows the language, and closes with Escape', async () => {
    const shown = await card('python');
    shown.language = 'javascript';
    await expect.poll(() => names(shown)).toContain('m.times');
    const closed = details(shown, 'attn-close');
    shown.focus();
    expect(document.activeElement?.textContent).toBe('What you have in JavaScript');
    await userEvent.keyboard('{Escape}');
    expect(closed).toHaveLength(1);
  });

  it('passes axe in every look', async () => {
    const shown = await card('python');
    // With all of its lines axe takes a quarter of a minute.
    await userEvent.fill(page.getByRole('searchbox', { name: 'Search' }), 'exp');
    await expect.poll(() => names(shown).length).toBeLessThan(20);
    await inEveryLook(async (look) => expect(await violations(shown), look).toEqual([]));
  });
});
