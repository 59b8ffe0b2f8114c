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
