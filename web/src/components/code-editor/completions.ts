/** What the editor completes: NumPy's names, what JavaScript's matrices can do, and the names of the file itself. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completeAnyWord,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { Matrix } from '../../exercises/javascript/matrix.ts';
import type { EditorLanguage } from './code-editor.ts';

/** What solutions of the exercises need; `tests/web/completions.test.ts` holds them to what the runtime has. */
export const NUMPY = (
  'abs all allclose any arange argmax argmin argsort array array_equal asarray broadcast_to ceil clip concatenate ' +
  'cos cumsum diag diff dot einsum empty exp expand_dims eye finfo floor full full_like inf isfinite isinf isnan ' +
  'isneginf linalg linspace log log1p log2 logical_and logical_not logical_or matmul max maximum mean median min ' +
  'minimum nan newaxis nonzero ones ones_like outer pi power prod quantile random ravel repeat reshape round sin ' +
  'sort split sqrt square squeeze stack std sum swapaxes take tanh tile trace transpose tril triu unique var vstack ' +
  'hstack where zeros zeros_like'
).split(' ');
/** Methods and attributes of arrays. */
export const ARRAY =
  'T all any argmax argmin argsort astype copy cumsum dtype item max mean min ndim prod ravel reshape shape size std sum tolist transpose var'.split(
    ' ',
  );

/** The members of a class or of its instances that are no signs of the language. */
const membersOf = (of: object): string[] =>
  Object.getOwnPropertyNames(of).filter(
    (name) => !['constructor', 'prototype', 'length', 'name', 'toString'].includes(name),
  );

const options = (names: readonly string[], type: Completion['type']): Completion[] =>
  names.map((label) => ({ label, type: type ?? 'property' }));

const known: Readonly<
  Record<EditorLanguage, readonly (readonly [before: RegExp, Completion[]])[]>
> = {
  python: [
    [/\b(?:np|numpy)\.\w*$/, options(NUMPY, 'function')],
    [/[\w)\]]\.\w*$/, options(ARRAY, 'property')],
  ],
  javascript: [
    [/\bMatrix\.\w*$/, options(membersOf(Matrix), 'function')],
    [/\bMath\.\w*$/, options(membersOf(Math), 'function')],
    [/[\w)\]]\.\w*$/, options(membersOf(Matrix.prototype), 'method')],
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
