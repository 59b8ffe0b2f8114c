/** The Markdown that a lab's words are written in: what it becomes, and what the build says of mistakes in it. */
import { describe, expect, it } from 'vitest';
import { checkWords, parseWords, WordsError, withEnglish } from '../../web/plugins/lab-words';
import type { Lab } from '../../web/src/lab/types';

const FILE = '/somewhere/web/labs/ropes/words/en.md';
const lab: Lab = {
  ...{ id: 'ropes', number: 1, part: 'linear', requires: [] },
  opening: { id: 'rope', tag: 'attn-rope' },
  steps: [
    {
      id: 'pull',
      blocks: [
        { kind: 'prose', id: 'pull' },
        { kind: 'figure', figure: { id: 'knot', tag: 'attn-knot' } },
        { kind: 'prose', id: 'after' },
        {
          kind: 'tries',
          id: 'ends',
          figure: 'knot',
          tries: [
            { id: 'left', values: {} },
            { id: 'right', values: {} },
          ],
        },
        {
          kind: 'prediction',
          id: 'breaks',
          answer: { kind: 'choice', options: ['yes', 'no-way'] },
          truth: async (_tools) => 'yes',
          reveal: [{ kind: 'prose', id: 'seen' }],
        },
        { kind: 'check', id: 'why', options: ['one', 'two'], right: ['one'] },
      ],
    },
  ],
  references: [{ id: 'book', title: 'A book', url: 'https://example.org' }],
  words: { en: async () => ({ words: parsed.words }) },
};

const SOURCE = `# Ropes

## How strong is a rope?

A lead in
two lines.

### Outcomes

- pull
- let go

### Description

For search engines.

## Pull {#pull}

The force is $\\frac{a}{b}$, *not* \`x * y\`.

$$
a + b
- c
$$

{#after}
Length [the length](knob:knot.length).

### Tries {#ends}

- left: To the left

  Pull *left*.

- right: To the right

  Pull right.

### Prediction {#breaks}

Does it break: \\- or $x$?

- yes: It does
- no-way: It does
  not

First reason.

Second reason.

{#seen}

You saw it.

### Check {#why}

Why?

- one: The one

  Right.

- two: The other

  Wrong.

## References

- book: Look inside.

## Summary

Ropes break.
`;
const parsed = parseWords(SOURCE, FILE);

/** The message about words in which `before` became `after`. */
function messageOf(before: string, after: string, complete = true): string {
  expect(SOURCE).toContain(before);
  try {
    checkWords(parseWords(SOURCE.replace(before, after), FILE), lab, complete);
  } catch (error) {
    expect(error).toBeInstanceOf(WordsError);
    return (error as Error).message;
  }
  return '';
}
const lineOf = (text: string): number => SOURCE.slice(0, SOURCE.indexOf(text)).split('\n').length;
const at = (text: string, below = 0): string =>
  `web/labs/ropes/words/en.md:${lineOf(text) + below}: `;

describe('words in Markdown', () => {
  it('become the words that the page shows', () => {
    expect(parsed.opening).toEqual({
      title: 'Ropes',
      question: 'How strong is a rope?',
      lead: 'A lead in two lines.',
      teaches: ['pull', 'let go'],
      description: 'For search engines.',
    });
    expect(parsed.words).toEqual({
      steps: { pull: 'Pull' },
      prose: {
        pull: ['The force is $\\frac{a}{b}$, *not* `x * y`.', '$$ a + b - c $$'],
        after: ['Length [the length](knob:knot.length).'],
        seen: ['You saw it.'],
      },
      tries: {
        ends: {
          left: { title: 'To the left', text: 'Pull *left*.' },
          right: { title: 'To the right', text: 'Pull right.' },
        },
      },
      predictions: {
        breaks: {
          question: 'Does it break: \\- or $x$?',
          options: { yes: 'It does', 'no-way': 'It does not' },
          why: ['First reason.', 'Second reason.'],
        },
      },
      checks: {
        why: {
          question: 'Why?',
          options: {
            one: { text: 'The one', why: 'Right.' },
            two: { text: 'The other', why: 'Wrong.' },
          },
        },
      },
      references: { book: 'Look inside.' },
      summary: ['Ropes break.'],
    });
    expect(parsed.knobs).toEqual([{ figure: 'knot', knob: 'length', line: lineOf('Length [') }]);
    expect(() => checkWords(parsed, lab, true)).not.toThrow();
  });

  it.each<[string, string, string, string, number?]>([
    ['$\\frac{a}{b}$', '$\\frac{a}{b}', 'The force', 'an odd number of $ in “The force is'],
    ['`x * y`', '`x * y', 'The force', 'an odd number of ` in “The force is'],
    ['*not*', '**not**', 'The force', "'**' in “The force is"],
    [
      '{#after}',
      '{#behind}',
      '{#after}',
      'prose {#behind}, which lab.ts does not have; wanted: {#after}',
    ],
    ['(knob:knot.length)', '(knob:length)', 'Length', 'knob:length; wanted: knob:figure.knob'],
    [
      '(knob:knot.length)',
      '(knob:net.length)',
      'Length',
      'knob:net.length; wanted: a figure of lab.ts, rope, knot',
    ],
    ['- left: To', '- To', '- left', '“To the left”; wanted: - id: text'],
    [
      '- left:',
      '- up:',
      '### Tries',
      'tries {#ends} without left and with up; wanted: left, right',
    ],
    ['- right:', '- left:', '- right', 'a second left; wanted: one'],
    ['\n\n  Right.', '', '- one', 'one with 1 paragraphs; wanted: 2 paragraphs'],
    [
      '- no-way: It does\n  not\n',
      '',
      '### Prediction',
      'prediction {#breaks} without no-way; wanted: yes, no-way',
    ],
    [
      'First reason.\n\nSecond reason.\n',
      '',
      '### Prediction',
      'prediction {#breaks} without words; wanted: a question and an explanation',
    ],
    [
      '### Prediction',
      '### Guess',
      '### Prediction',
      '### Guess {#breaks}; wanted: ## Title {#id}, ### Prediction',
    ],
    [
      '## Pull {#pull}',
      '## Pull',
      '## Pull',
      '## Pull; wanted: ### Outcomes, ### Description, or the first step',
    ],
    ['## Pull {#pull}', '## Pull $x$ {#pull}', '## Pull', 'TeX in “Pull $x$”; wanted: none here'],
    ['- book: Look inside.\n', '', '## References', 'references without book; wanted: book'],
    ['You saw it.', '1. You', 'You saw', 'a numbered list'],
    ['Pull right.\n', 'Pull right.\n\nMore.\n', 'Pull right.', 'wanted: - id: title', 2],
    ['## Summary', '## Summary\n\n## Summary', '## Summary', 'a second summary', 2],
  ])('%j that became %j is an error with its line', (before, after, where, said, below = 0) => {
    const message = messageOf(before, after);
    expect(message).toContain(said);
    expect(message).toMatch(/^(?:web\/labs\/ropes\/words\/en\.md:\d+: .+\n?)+$/);
    expect(message).toContain(at(where, below));
  });

  it('that lack a part are an error in English; another language may lack it', () => {
    const without = [
      SOURCE.slice(SOURCE.indexOf('### Check'), SOURCE.indexOf('## References')),
      '',
    ] as const;
    expect(messageOf(...without)).toBe(
      `${at('{#seen}')}no check {#why} after prose {#seen}; wanted, because lab.ts has it`,
    );
    expect(messageOf(...without, false)).toBe('');
    const merged = withEnglish(parseWords(SOURCE.replace(...without), FILE).words, parsed.words);
    expect(merged.checks).toEqual(parsed.words.checks);
    expect(merged.inEnglish).toEqual(['checks.why']);
    expect(withEnglish(parsed.words, parsed.words).inEnglish).toBeUndefined();
  });

  it('stand in the order of lab.ts', () => {
    const tries = SOURCE.slice(SOURCE.indexOf('### Tries'), SOURCE.indexOf('### Prediction'));
    const moved = SOURCE.replace(tries, '').replace('{#after}', `${tries}{#after}`);
    expect(() => checkWords(parseWords(moved, FILE), lab, true)).toThrow(
      'prose {#after} after tries {#ends}; wanted: the order of lab.ts, where it stands before tries {#ends}',
    );
  });
});
