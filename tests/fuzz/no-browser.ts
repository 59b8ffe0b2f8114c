/**
 * What the modules of figures touch while they are imported and made: enough of a browser to read the
 * tables of their knobs under Node. Lit brings its own stand-in for elements, which it takes where there
 * is no document yet.
 */
import 'lit';

class Nothing {
  observe(): void {}
  disconnect(): void {}
  replaceSync(): void {}
}
const media = { matches: false, addEventListener: () => undefined };
const documentElement = { lang: 'en', dataset: {} };
Object.assign(globalThis, {
  matchMedia: () => media,
  CSSStyleSheet: Nothing,
  ResizeObserver: Nothing,
  document: { documentElement, adoptedStyleSheets: [] },
});
