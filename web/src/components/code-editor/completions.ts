/** What the editor completes: what the card lists (`exercises/at-hand/`), and the names of the file itself. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completeAnyWord,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { lineOf, namesOf } from '../../exercises/at-hand/entry.ts';
import { javascript } from '../../exercises/at-hand/javascript.ts';
import { python } from '../../exercises/at-hand/python.ts';
import { language as pageLanguage } from '../../strings/language.ts';
import type { EditorLanguage } from './code-editor.ts';

const card = { python, javascript };

const options = (
  language: EditorLanguage,
  before: string,
  type: NonNullable<Completion['type']>,
): Completion[] =>
  namesOf(card[language], before).map((label) => {
    // A back-tick marks code on the card; here there is plain text. The lines are in English.
    const line = pageLanguage === 'en' ? lineOf(card[language], before, label) : undefined;
    const info = line?.replaceAll('`', '');
    return { label, type, ...(info !== undefined && { info }) };
  });

const known: Readonly<
  Record<EditorLanguage, readonly (readonly [before: RegExp, Completion[]])[]>
> = {
  python: [
    [/\b(?:np|numpy)\.linalg\.\w*$/, options('python', 'np.linalg.', 'function')],
    [/\b(?:np|numpy)\.random\.\w*$/, options('python', 'np.random.', 'function')],
    [/\b(?:np|numpy)\.\w*$/, options('python', 'np.', 'function')],
    [/\bmath\.\w*$/, options('python', 'math.', 'function')],
    [/[\w)\]]\.\w*$/, options('python', 'x.', 'property')],
  ],
  javascript: [
    [/\bMatrix\.\w*$/, options('javascript', 'Matrix.', 'function')],
    [/\bMath\.\w*$/, options('javascript', 'Math.', 'function')],
    [/[\w)\]]\.\w*$/, options('javascript', 'm.', 'method')],
  ],
};

/** What may follow at this place. */
export function complete(
  language: EditorLanguage,
  context: CompletionContext,
): CompletionResult | null | Promise<CompletionResult | null> {
  // In a number a point is no access.
  if (context.matchBefore(/(?:^|[^\w)\]])\d+\.\w*$/)) return null;
  for (const [before, list] of known[language]) {
    const found = context.matchBefore(before);
    if (found) {
      const from = found.from + found.text.lastIndexOf('.') + 1;
      return { from, options: list, validFor: /^\w*$/ };
    }
  }
  // The parameters, and what the file has given a name.
  return context.explicit || context.matchBefore(/\w{2,}$/) ? completeAnyWord(context) : null;
}

/**
 * Nothing is chosen until an arrow key chooses it, so that Enter ends the line as it always does. Ctrl + Space asks
 * for the list.
 */
export const completion = (language: EditorLanguage): Extension =>
  autocompletion({
    override: [(context) => complete(language, context)],
    selectOnOpen: false,
    icons: false,
  });
