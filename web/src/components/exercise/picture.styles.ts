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
  .pictures {
    display: grid;
    grid-template-columns: repeat(3, minmax(0, 1fr));
    gap: 1.5rem clamp(1rem, 2vw, 2.25rem);
    /* Beyond this a cell is only larger, not easier to see. */
    max-width: 72rem;
  }
  .chart {
    max-width: 60rem;
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
  .verdict {
    margin: 0.7rem 0 0;
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
  @media (max-width: 40rem) {
    .pictures {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @media print {
    .knobs {
      display: none;
    }
  }
`;
