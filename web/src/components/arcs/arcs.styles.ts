import { css } from 'lit';

export const styles = css`
  :host {
    min-width: 0;
  }
  .scroll {
    overflow-x: auto;
    overflow-y: hidden;
  }
  .picture {
    position: relative;
  }
  canvas {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    pointer-events: none;
  }
  .word {
    position: absolute;
    display: grid;
    place-items: center;
    padding: 0;
    font-size: 14px;
    line-height: 1;
    white-space: nowrap;
    cursor: pointer;
    border-radius: 3px;
    /* Of hundreds of words a few are in view. */
    content-visibility: auto;
    transition: color 0.12s;
    touch-action: manipulation;
  }
  .word > span {
    display: block;
    max-width: 100%;
    max-height: 100%;
    overflow: hidden;
    text-overflow: ellipsis;
    line-height: 1.3;
  }
  .turned > span {
    writing-mode: vertical-rl;
    transform: rotate(180deg);
  }
  .key {
    cursor: default;
  }
  /* A word that is not part of what is shown alone steps back; it stays readable. */
  .alone .word {
    color: var(--muted);
  }
  .alone .word.current,
  .alone .word.seen {
    color: var(--ink);
  }
  .word.current {
    font-weight: 650;
    text-decoration: underline;
    text-decoration-thickness: 2px;
    text-underline-offset: 0.25em;
  }
  .word:focus-visible {
    outline-offset: 0;
  }
  .read {
    margin: 0.4rem 0 0;
    min-height: 2.95em;
    overflow-wrap: anywhere;
  }
  :host([brief]) .read {
    min-height: 1.45em;
  }
  .fine {
    margin: 0.25rem 0 0;
    color: var(--muted);
    font-size: var(--step--2);
  }
  .hint {
    color: var(--muted);
  }
  b {
    font-weight: 650;
  }
  @media (prefers-reduced-motion: reduce) {
    .word {
      transition: none;
    }
  }
  @media print {
    .hint {
      display: none;
    }
  }
`;
