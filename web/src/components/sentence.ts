import { html, type TemplateResult } from 'lit';

/** A sentence with tokens of `inSentence` as a page shows it: elements, so that what is copied has no marks. */
export const sentenceOf = (text: string): readonly (string | TemplateResult)[] =>
  text.split(/[\u2068\u2069]/).map((part, i) => (i % 2 > 0 ? html`<bdi>${part}</bdi>` : part));
