/** What the editor completes is what the languages have here. */
import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { ARRAY, complete, NUMPY } from '../../web/src/components/code-editor/completions';
import { openGradeTools } from './grade_tools';

const tools = await openGradeTools();

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
  it('names only what NumPy and its arrays have here', async () => {
    const code = `import numpy as np
def missing():
    x = np.zeros((2, 2))
    return (", ".join([n for n in ${JSON.stringify(NUMPY)} if not hasattr(np, n)]) + "; " +
        ", ".join([n for n in ${JSON.stringify(ARRAY)} if not hasattr(x, n)]))
`;
    const job = {
      language: 'python',
      code,
      entry: 'missing',
      cases: [{ args: [] }],
      parameters: [],
    };
    const { cases, loadError } = await tools.run(job as Parameters<typeof tools.run>[0]);
    expect(loadError).toBeUndefined();
    expect(cases[0]?.value).toBe('; ');
  });

  it('follows np., an array, a matrix, and Matrix itself', async () => {
    expect(await offered('python', 'x = np.')).toContain('exp');
    expect(await offered('python', 'x = np.ex')).toContain('expand_dims');
    expect(await offered('python', 'w / w.su')).toContain('sum');
    expect(await offered('javascript', 'Q.')).toEqual(
      expect.arrayContaining(['times', 'plus', 'sumRows', 'rows', 'transpose']),
    );
    expect(await offered('javascript', 'Matrix.')).toEqual(
      expect.arrayContaining(['zeros', 'from', 'identity']),
    );
    expect(await offered('python', 'x = 2.')).toEqual([]);
  });

  it('knows the arguments and the names of the file', async () => {
    const head = 'def attention(queries, keys):\n    scores = queries @ keys.T\n    return ';
    expect(await offered('python', `${head}qu`)).toContain('queries');
    expect(await offered('python', head, true)).toContain('scores');
    expect(await offered('python', `${head}q`)).toEqual([]);
  });
});
