/** Lab 1 teaches by itself: only its optional last step speaks of a text that a reader may not have. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lab } from '../../web/labs/complexity/lab';

const words = (name: string): string =>
  readFileSync(new URL(`../../web/labs/complexity/words/${name}`, import.meta.url), 'utf8');

describe('the handout of Lab 1', () => {
  it.each(['en', 'de'])('is spoken of in the last step only (%s)', (language) => {
    expect(lab.steps.at(-1)?.id).toBe('handout');
    const [before = '', after = ''] = words(`${language}.md`).split(/^## .*\{#handout\}$/m);
    expect(before.length).toBeGreaterThan(5000);
    expect(before).not.toMatch(/handout|course text|Kurstext/i);
    expect(after).toMatch(/handout/i);
    const [, references = ''] = after.split(/^## References$/m);
    expect(references).not.toMatch(/handout/i);
  });

  it.each(['en', 'de'])('has figures of its own, and no other figure names it (%s)', (language) => {
    const figures = words(`figures/${language}.ts`).split(/^ {2}(?=\w+: \{$)/m);
    expect(figures.length).toBeGreaterThan(6);
    for (const figure of figures) {
      if (!figure.startsWith('handout')) expect(figure).not.toMatch(/handout\b/i);
    }
  });
});

describe('the tries and questions of Lab 1', () => {
  const blocks = lab.steps.flatMap((step) => step.blocks);

  it('change one knob, or say why two belong together', () => {
    for (const block of blocks) {
      if (block.kind !== 'tries') continue;
      for (const { id, values, together } of block.tries) {
        const many = Object.keys(values).length;
        if (many !== 1) expect(together, `${block.id}: ${id}`).toMatch(/\w+ \w+/);
      }
    }
  });

  it('stand before whatever answers them: every figure with a Run has its question', () => {
    const asked = blocks.flatMap((block) =>
      block.kind === 'prediction'
        ? (block.reveal ?? []).flatMap((one) => (one.kind === 'figure' ? [one.figure.id] : []))
        : [],
    );
    expect(asked).toEqual(['growth', 'bytes', 'gains', 'time', 'run', 'race']);
  });

  it('have exercises at the end of their step only', () => {
    for (const { id, blocks: inStep } of lab.steps) {
      const at = inStep.findIndex(({ kind }) => kind === 'exercises');
      if (at >= 0) expect(at, id).toBe(inStep.length - 1);
    }
  });

  it.each(['en', 'de'])('lead each step with a question (%s)', (language) => {
    const titles = [...words(`${language}.md`).matchAll(/^## (.*) \{#\w+\}$/gm)].map(
      ([, title]) => title,
    );
    expect(titles).toHaveLength(lab.steps.length);
    for (const title of titles) expect(title).toMatch(/\?( \(.*\))?$/);
  });
});
