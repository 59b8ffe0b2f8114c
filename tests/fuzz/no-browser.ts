/**
 * The parts of a browser that the modules of figures use while they are imported and made, so that the tables of
 * their knobs can be read under Node. Lit has its own replacement for elements, which it uses where no document
 * exists yet.
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
