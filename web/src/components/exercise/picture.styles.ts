import { css } from 'lit';

export const styles = css`
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 1rem;
    margin: 0 0 0.8rem;
  }
  h2 {
    margin: 0;
    font: 600 var(--step-0) / 1.3 var(--sans);
  }
  .head p {
    margin: 0;
    color: var(--muted);
  }
  .knobs {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 17rem));
    gap: 0.75rem 2rem;
    margin: 0 0 1.25rem;
  }
  .aside .knobs {
    grid-template-columns: minmax(0, 1fr);
    gap: 0.6rem;
    margin: 0;
  }
  /* As in labs, whose sheet does not reach in here. */
  .switch {
    display: flex;
    gap: 0.7rem;
    align-items: flex-start;
    align-self: center;
    justify-self: start;
    min-height: 1.5rem;
    cursor: pointer;
  }
  .switch input {
    flex: none;
    position: relative;
    width: 2.1rem;
    height: 1.2rem;
    margin: 0.05rem 0 0;
    appearance: none;
    background: var(--paper);
    border: 1px solid var(--edge);
    border-radius: 1rem;
    cursor: pointer;
  }
  .switch input::before {
    content: '';
    position: absolute;
    top: 50%;
    left: 0.2rem;
    width: 0.75rem;
    height: 0.75rem;
    background: var(--edge);
    border-radius: 50%;
    transform: translateY(-50%);
    transition: left 0.12s;
  }
  .switch input:checked {
    background: var(--accent);
    border-color: var(--accent);
  }
  .switch input:checked::before {
    left: calc(100% - 0.95rem);
    background: var(--paper);
  }
  /* Two by two, the knobs in the fourth place. All of it is to be on the screen at once, so its height sets a limit. */
  .pictures {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 1.1rem clamp(0.75rem, 2vw, 1.75rem);
    max-width: max(20rem, min(48rem, var(--window-height) - 21rem));
  }
  /* No rows are shared here: the knobs may be taller than the picture beside them, and would stretch its words. */
  .pictures > attn-heatmap {
    display: block;
    grid-row: auto;
  }
  .chart {
    max-width: 60rem;
  }
  .drawings {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
    gap: 1.25rem clamp(0.75rem, 2vw, 1.75rem);
    max-width: 60rem;
  }
  .drawings.stacked {
    grid-template-columns: minmax(0, 1fr);
  }
  .drawing {
    min-width: 0;
  }
  .trouble,
  .failure {
    margin: 0 0 1rem;
    padding: 0.5rem 0.8rem;
    border-left: 3px solid var(--warning);
    background: var(--wash);
    max-width: 60rem;
  }
  .failure {
    border-color: var(--error);
  }
  .caption {
    max-width: 60rem;
    margin: 0.7rem 0 0;
    color: var(--muted);
  }
  .head .verdict {
    color: inherit;
    font-weight: 600;
    min-height: 1.45em;
  }
  .saved {
    margin: 0.3rem 0 0;
    color: var(--accent);
  }
  .saved:empty {
    display: none;
  }
  @media (prefers-reduced-motion: reduce) {
    .switch input::before {
      transition: none;
    }
  }
  @media (forced-colors: active) {
    .switch input:checked {
      background: Highlight;
      forced-color-adjust: none;
    }
    .switch input:checked::before {
      background: HighlightText;
    }
  }
  @media print {
    .knobs {
      display: none;
    }
  }
`;
