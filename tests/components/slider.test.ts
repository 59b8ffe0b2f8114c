import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import '../../web/src/components/slider/slider';
import { details, inEveryLook, inside, show, textOf, violations } from './support';

const bar = () => page.getByRole('slider').element() as HTMLInputElement;
const field = () => page.getByRole('spinbutton').element() as HTMLInputElement;

describe('a slider', () => {
  it('moves by one step with arrow keys and by ten with page keys, between its ends', async () => {
    const slider = await show('attn-slider', {
      label: 'tokens',
      symbol: 'n',
      min: 2,
      max: 64,
      value: 10,
    });
    const changes = details<number>(slider, 'attn-change');
    bar().focus();
    await userEvent.keyboard(
      '{ArrowRight}{ArrowUp}{ArrowLeft}{PageUp}{PageDown}{PageDown}{PageDown}',
    );
    expect(changes).toEqual([11, 12, 11, 21, 11, 2, 2]);
    expect(bar().getAttribute('aria-valuetext')).toBe('2');
    await userEvent.keyboard('{End}');
    await expect.poll(() => changes.at(-1)).toBe(64);
    await userEvent.keyboard('{Home}');
    await expect.poll(() => changes.at(-1)).toBe(2);
  });

  it('accepts a typed number, and keeps one that does not fit until it is corrected', async () => {
    const slider = await show('attn-slider', {
      label: 'tokens',
      symbol: 'n',
      min: 2,
      max: 64,
      value: 10,
    });
    const changes = details<number>(slider, 'attn-change');
    for (const [typed, message] of [
      ['5000', 'Saw 5000; wanted a whole number from 2 to 64.'],
      ['2.5', 'Saw 2.5; wanted a whole number from 2 to 64.'],
      ['', 'wanted a whole number from 2 to 64.'],
    ] as const) {
      await userEvent.fill(page.getByRole('spinbutton'), typed);
      // Drawing the slider again must not discard what is being typed.
      slider.requestUpdate();
      await slider.updateComplete;
      expect(field().value).toBe(typed);
      await userEvent.keyboard('{Tab}');
      await expect.poll(() => textOf(page.getByRole('alert').query())).toContain(message);
      expect(field().getAttribute('aria-invalid')).toBe('true');
      field().focus();
    }
    expect(changes).toEqual([]);
    expect(slider.value).toBe(10);
    await userEvent.fill(page.getByRole('spinbutton'), '33');
    await userEvent.keyboard('{Tab}');
    await expect.poll(() => changes).toEqual([33]);
    expect(page.getByRole('alert').query()).toBeNull();
    expect(bar().getAttribute('aria-valuetext')).toBe('33');
  });

  it('is typed into with a comma or a point, and keeps what is typed until the end', async () => {
    const slider = await show('attn-slider', {
      ...{ label: 'sharpness', min: 0, max: 10, step: 0.1, value: 1 },
    });
    const [moves, changes] = [
      details<number>(slider, 'attn-input'),
      details<number>(slider, 'attn-change'),
    ];
    expect(field().value).toBe('1');
    await userEvent.click(page.getByRole('spinbutton'));
    field().select();
    for (const [typed, shown] of [
      ['2', '2'],
      [',', '2,'],
      ['5', '2,5'],
    ] as const) {
      await userEvent.keyboard(typed);
      await slider.updateComplete;
      expect(field().value).toBe(shown);
    }
    expect(moves).toEqual([2, 2, 2.5]);
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => changes).toEqual([2.5]);
    // The page's language writes it.
    await expect.poll(() => field().value).toBe('2.5');
    await userEvent.keyboard('{ArrowUp}{PageDown}');
    expect(changes).toEqual([2.5, 2.6, 1.6]);
    expect(field().getAttribute('aria-valuetext')).toBe('1.6');
    expect(field().getAttribute('aria-valuenow')).toBe('1.6');
  });

  it('can be logarithmic, and then has the geometric mean in its middle', async () => {
    const slider = await show('attn-slider', {
      label: 'n',
      min: 16,
      max: 4096,
      log: true,
      value: 16,
    });
    const moves = details<number>(slider, 'attn-input');
    const box = bar().getBoundingClientRect();
    await userEvent.click(page.getByRole('slider'), {
      position: { x: box.width / 2, y: box.height / 2 },
    });
    await expect.poll(() => moves.length).toBeGreaterThan(0);
    expect(Math.abs((moves.at(-1) ?? 0) / 256 - 1)).toBeLessThan(0.1);
  });

  it('cannot be moved while it is locked, and shows an error that its parent sets', async () => {
    const slider = await show('attn-slider', {
      ...{ label: 'tokens', symbol: 'd_k', min: 1, max: 9, value: 3, disabled: true },
      error: 'Too many.',
    });
    const changes = details<number>(slider, 'attn-change');
    expect(bar().disabled && field().disabled).toBe(true);
    bar().focus();
    await userEvent.keyboard('{ArrowRight}');
    expect(changes).toEqual([]);
    expect(textOf(inside(slider, '[role=alert]'))).toBe('Too many.');
    expect(field().getAttribute('aria-describedby')).toBe('error');
    expect(bar().getAttribute('aria-label')).toBe('d k, tokens');
    expect(textOf(inside(slider, 'label sub'))).toBe('k');
  });

  it('passes axe, and is visible in forced-colours mode', async () => {
    const slider = await show('attn-slider', {
      label: 'tokens',
      symbol: 'n',
      min: 2,
      max: 64,
      value: 99,
    });
    await inEveryLook(async (look) => expect(await violations(slider), look).toEqual([]));
  });
});
