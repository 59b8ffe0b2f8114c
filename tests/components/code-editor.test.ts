/** What only a busy machine shows of the editor. */
import { expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../web/src/components/code-editor/code-editor';
import { all, show } from './support';

it('indents after a colon, even if there was no time to parse the line while it was typed', async () => {
  const editor = await show('attn-code-editor', { label: 'Code' });
  editor.focus();
  await expect.poll(() => all(editor, '.cm-content').length).toBe(1);
  // Each look at the clock finds 25 ms gone; CodeMirror stops parsing 20 ms after a key.
  let now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    now += 25;
    return now;
  });
  await userEvent.keyboard('def f(x):{Enter}return x');
  clock.mockRestore();
  expect(editor.value).toBe('def f(x):\n    return x');
});
