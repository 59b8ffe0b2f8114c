import { css } from 'lit';

export const styles = css`
  :host {
    --code-keyword: light-dark(#82246e, #e0a2d4);
    --code-string: light-dark(#2a6430, #9fd08f);
    --code-number: light-dark(#8a4300, #e8b56c);
    --code-name: light-dark(#0d5c75, #6fc3dc);
    --code-selection: light-dark(#cfe3ea, #2d4a56);
    --code: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono',
      monospace;
  }
  .box {
    border: 1px solid var(--edge);
    border-radius: 3px;
    background: var(--field);
    overflow: hidden;
  }
  .box:focus-within {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
  .box,
  textarea {
    font-family: var(--code);
    font-size: var(--step--1);
    line-height: 1.6;
    tab-size: 4;
    font-variant-ligatures: none;
  }
  .mount {
    min-height: 12rem;
    max-height: min(0.7 * var(--window-height), 40rem);
    display: grid;
    container-type: inline-size;
  }
  .mount[hidden] {
    display: none;
  }
  textarea {
    display: block;
    width: 100%;
    /* The plain field is as tall as its lines, and its lines stand where those of the editor will stand. */
    height: calc(var(--lines) * 1.6em + 1.2rem + 2px);
    min-height: 12rem;
    max-height: min(0.7 * var(--window-height), 40rem);
    margin: 0;
    padding: 0.6rem 0.75rem 0.6rem 3.45rem;
    color: var(--ink);
    background: linear-gradient(to right, transparent 2.95rem, var(--rule) 2.95rem, var(--rule) calc(2.95rem + 1px), transparent calc(2.95rem + 1px));
    border: 0;
    outline: 0;
    resize: none;
    overflow: auto;
    white-space: pre;
  }
  .note {
    margin: 0.3rem 0 0;
    color: var(--muted);
    font-size: var(--step--2);
  }
  kbd {
    padding: 0 0.25rem;
    border: 1px solid var(--rule);
    border-radius: 3px;
    font: inherit;
    white-space: nowrap;
  }
  .print {
    display: none;
  }
  @media (max-width: 30rem) {
    /* A phone zooms into a field whose text is smaller than 16 px. */
    .box,
    textarea {
      font-size: 1rem;
    }
  }
  @media print {
    .box {
      display: none;
    }
    .note {
      display: none;
    }
    .print {
      display: block;
      margin: 0;
      padding: 0.6rem 0.75rem;
      border: 1px solid var(--edge);
      font: 9pt / 1.5 var(--code);
      white-space: pre-wrap;
    }
  }
`;
