import { css } from 'lit';

export const styles = css`
  .empty {
    margin: 0;
    color: var(--muted);
  }
  .ways {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr));
    gap: 1.25rem 3rem;
  }
  h3 {
    margin: 0 0 0.3rem;
    font: 600 var(--step--1) / 1.4 var(--sans);
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  th,
  td {
    padding: 0.3rem 0;
    border-top: 1px solid var(--rule);
    font-weight: 400;
    text-align: left;
    vertical-align: baseline;
  }
  th {
    padding-right: 1rem;
    color: var(--muted);
  }
  td {
    text-align: right;
    white-space: nowrap;
  }
  .result td,
  .result th {
    color: var(--ink);
    font-weight: 650;
  }
  .formula {
    font-family: var(--serif);
    font-size: 1.08em;
    color: var(--ink);
    white-space: nowrap;
  }
  .note {
    margin: 0.7rem 0 0;
    color: var(--muted);
  }
  sub,
  sup {
    font-size: 0.72em;
    line-height: 0;
  }
`;
