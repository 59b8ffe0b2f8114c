import { css } from 'lit';

export const styles = css`
  dl {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr));
    gap: 1.25rem 2rem;
    margin: 0;
  }
  .item {
    padding-top: 0.6rem;
    border-top: 1px solid var(--rule);
  }
  dt {
    color: var(--muted);
  }
  dd {
    margin: 0;
  }
  .value {
    font: 600 var(--step-2) / 1.3 var(--sans);
    font-variant-numeric: tabular-nums lining-nums;
    min-height: 1.3em;
  }
  .track {
    position: relative;
    height: 0.3rem;
    margin: 0.35rem 0 0.55rem;
    background: var(--rule);
    forced-color-adjust: none;
  }
  .fill {
    position: absolute;
    inset: 0 auto 0 0;
    background: var(--accent);
  }
  .mark {
    position: absolute;
    top: -0.2rem;
    bottom: -0.2rem;
    border-left: 2px solid var(--ink);
  }
  .words {
    min-height: 4.3em;
    color: var(--muted);
  }
  .words strong {
    color: var(--ink);
    font-weight: 600;
  }
  .link {
    padding: 0;
    min-height: 1.5rem;
    border: 0;
    background: none;
    color: var(--accent);
    text-decoration: underline;
    text-underline-offset: 0.15em;
  }
  ul {
    list-style: none;
    margin: 1rem 0 0;
    padding: 0;
  }
  li {
    padding: 0.35rem 0.8rem;
    margin-top: 0.4rem;
    border-left: 3px solid var(--warning);
    background: var(--wash);
  }
  li strong {
    font-weight: 600;
  }
`;
