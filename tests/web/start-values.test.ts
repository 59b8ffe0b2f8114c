/** A page may begin with values of its own, as German ones do with a German sentence; links mean the same everywhere. */
import { describe, expect, it } from 'vitest';
import { UrlStore } from '../../web/src/lab/page/url-store';
import { integer, text } from '../../web/src/state/url';

const table = {
  text: text({ key: 'text', default: 'the cat' }),
  n: integer({ key: 'n', min: 1, max: 9, default: 3 }),
};

function open(search: string, start: { text?: string } = { text: 'die Katze' }) {
  let tell: (search: string) => void = () => undefined;
  const shown: string[] = [];
  const store = new UrlStore(
    {
      draft: (to) => void shown.push(to),
      commit: (to) => void shown.push(to),
      onChange: (listener) => {
        tell = listener;
        return () => undefined;
      },
      dispose: () => undefined,
    },
    search,
  );
  const knobs = store.knobs('', table, { start, onChange: () => undefined });
  const other = store.knobs('curve', table, { onChange: () => undefined });
  return { knobs, other, shown, back: (to: string) => tell(to) };
}

describe('the values that a page begins with', () => {
  it('hold where the address says nothing, and only there', () => {
    expect(open('').knobs.values).toEqual({ text: 'die Katze', n: 3 });
    expect(open('?').knobs.values.text).toBe('die Katze');
    // A link from before that says something else means the default of its time.
    expect(open('?v=1&n=5').knobs.values).toEqual({ text: 'the cat', n: 5 });
    expect(open('?hide=n').knobs.values.text).toBe('the cat');
    expect(open('?v=1&text=mine').knobs.values.text).toBe('mine');
    expect(open('', {}).knobs.values.text).toBe('the cat');
  });

  it('are said by every link, so that it opens the same picture on every page', () => {
    const { knobs, shown } = open('');
    knobs.set({ n: 5 });
    expect(shown).toEqual(['?v=1&text=die+Katze&n=5']);
    const there = open(shown[0] ?? '', {});
    expect(there.knobs.values).toEqual({ text: 'die Katze', n: 5 });
    const moved = open('');
    moved.other.set({ n: 7 });
    expect(open(moved.shown[0] ?? '', {}).knobs.values.text).toBe('die Katze');
  });

  it('come back with Back and with a reset', () => {
    const { knobs, back } = open('');
    knobs.set({ text: 'mine' });
    back('');
    expect(knobs.values.text).toBe('die Katze');
    expect(knobs.defaults).toEqual({ text: 'die Katze', n: 3 });
  });
});
