import { css } from 'lit';

/** What every element's shadow starts from: box model, type, focus, buttons. */
export const shared = css`
  :host {
    display: block;
    font-family: var(--sans);
    font-size: var(--step--1);
    line-height: 1.45;
    color: var(--ink);
    font-variant-numeric: tabular-nums lining-nums;
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  sub,
  sup {
    font-size: 0.72em;
    line-height: 0;
  }
  button {
    font: inherit;
    color: inherit;
    cursor: pointer;
  }
  .quiet {
    min-width: 1.75rem;
    min-height: 1.75rem;
    padding: 0 0.4rem;
    border: 1px solid transparent;
    border-radius: 3px;
    background: none;
    color: var(--muted);
  }
  .quiet:hover:not(:disabled) {
    color: var(--ink);
    background: var(--wash);
  }
  .quiet:disabled {
    opacity: 0.45;
    cursor: default;
  }
  .quiet[aria-pressed='true'] {
    color: var(--accent);
    border-color: currentColor;
  }
  .button {
    min-height: 2rem;
    padding: 0.2rem 0.8rem;
    border: 1px solid var(--edge);
    border-radius: 3px;
    background: var(--field);
  }
  .button:hover:not(:disabled) {
    border-color: var(--accent);
    color: var(--accent);
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  i,
  .math {
    font-family: var(--serif);
    font-style: italic;
  }
  @media (forced-colors: active) {
    .button,
    .quiet {
      border-color: ButtonText;
    }
  }
`;
