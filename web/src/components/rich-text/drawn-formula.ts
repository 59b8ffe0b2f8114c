import { Directive, directive } from 'lit/directive.js';

/**
 * Shows a formula that the build rendered. KaTeX places its boxes with style attributes, which a page under
 * `style-src 'self'` must not have in its markup. The build calls them `data-style` (`plugins/formulas.ts`), and
 * they are applied here by script, which such a policy allows.
 */
class DrawnFormula extends Directive {
  private markup: string | undefined;
  private drawn: DocumentFragment | undefined;

  render(markup: string): DocumentFragment | undefined {
    if (markup === this.markup) return this.drawn;
    this.markup = markup;
    const template = document.createElement('template');
    // The markup comes from our own build, never from a visitor.
    template.innerHTML = markup;
    this.drawn = template.content;
    for (const box of this.drawn.querySelectorAll<HTMLElement>('[data-style]')) {
      box.style.cssText = box.dataset.style ?? '';
      delete box.dataset.style;
    }
    return this.drawn;
  }
}

export const drawnFormula = directive(DrawnFormula);
