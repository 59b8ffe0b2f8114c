import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LabSource } from '../../web/plugins/labs';
import { formulaName, spoken } from '../../web/src/lab/text/plain-text';

describe('the text that a screen reader hears', () => {
  it.each([
    ['And $\\mathrm{softmax}(QK^{\\top}/\\sqrt{d_k})$?', 'And softmax(QKᵀ/√d_k)?'],
    ['$\\tfrac12 + \\tfrac12(1 + s)^2$', '1/2 + 1/2(1 + s)^2'],
    ['$\\frac{2\\,D\\,d_v}{d+d_v}$', '2Dd_v/(d+d_v)'],
    ['$s = 1 + \\dots$ and *more*', 's = 1 + … and more'],
    ['Is n*, the *counted* $n^*$, more than n*?', 'Is n*, the counted n*, more than n*?'],
    ['Use `rtol=1e-5`, see [the step](#rounding).', 'Use rtol=1e-5, see the step.'],
  ])('%s', (text, heard) => {
    expect(spoken(text)).toBe(heard);
  });

  it('names a control whose label is a formula', () => {
    expect(formulaName('$(QK^{\\top})V$')).toBe('(QKᵀ)V');
    expect(formulaName('All of them')).toBeUndefined();
  });

  it('has no command of TeX left in any question of any lab', async () => {
    const labs = await new LabSource(fileURLToPath(new URL('../../web/', import.meta.url))).read();
    let formulas = 0;
    for (const { words } of labs) {
      for (const { predictions, checks } of Object.values(words)) {
        for (const { question, options = {} } of [
          ...Object.values(predictions),
          ...Object.values(checks),
        ]) {
          const texts = Object.values(options).map((one) =>
            typeof one === 'string' ? one : one.text,
          );
          for (const text of [question, ...texts]) {
            if (text.includes('$')) formulas++;
            expect(spoken(text)).not.toMatch(/[\\$]|mathrm|frac|lVert/);
          }
        }
      }
    }
    expect(formulas).toBeGreaterThan(10);
  });
});
