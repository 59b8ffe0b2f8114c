/** The editor completes what the card lists; `at-hand.test.ts` holds that to what the languages have here. */
import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { complete } from '../../web/src/components/code-editor/completions';

/** The labels at the end of the text. */
async function offered(
  language: 'python' | 'javascript',
  doc: string,
  explicit = false,
): Promise<string[]> {
  const context = new CompletionContext(EditorState.create({ doc }), doc.length, explicit);
  return ((await complete(language, context))?.options ?? []).map(({ label }) => label);
}

describe('completion', () => {
  it('follows np., an array, a matrix, and Matrix itself', async () => {
    expect(await offered('python', 'x = np.')).toContain('exp');
    expect(await offered('python', 'x = np.ex')).toContain('expand_dims');
    expect(await offered('python', 'x = np.linalg.')).toContain('norm');
    expect(await offered('python', 'x = math.')).toContain('inf');
    expect(await offered('python', 'w / w.su')).toContain('sum');
    expect(await offered('javascript', 'Q.')).toEqual(
      expect.arrayContaining(['times', 'plus', 'sumRows', 'rows', 'transpose']),
    );
    expect(await offered('javascript', 'Matrix.')).toEqual(
      expect.arrayContaining(['zeros', 'from', 'identity']),
    );
    expect(await offered('python', 'x = 2.')).toEqual([]);
  });

  it('says what a name is, in the words of the card', async () => {
    const context = new CompletionContext(EditorState.create({ doc: 'np.' }), 3, false);
    const found = (await complete('python', context))?.options.find(({ label }) => label === 'exp');
    expect(found?.info).toBe('e or 2 to the power of each entry; expm1 is eˣ − 1');
  });

  it('knows the arguments and the names of the file', async () => {
    const head = 'def attention(queries, keys):\n    scores = queries @ keys.T\n    return ';
    expect(await offered('python', `${head}qu`)).toContain('queries');
    expect(await offered('python', head, true)).toContain('scores');
    expect(await offered('python', `${head}q`)).toEqual([]);
  });
});
