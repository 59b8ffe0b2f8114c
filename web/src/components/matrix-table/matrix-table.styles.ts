import { css } from 'lit';

export const styles = css`
  .scroll {
    overflow: auto;
    max-width: 100%;
    border: 1px solid var(--rule);
    /* As in styles/scroll.css; the left edge is a sticky column. */
    background:
      linear-gradient(to left, var(--paper) 60%, transparent) 100% 0 / 2rem 100% no-repeat local,
      linear-gradient(to left, color-mix(in srgb, var(--ink) 26%, transparent), transparent) 100% 0 /
        0.8rem 100% no-repeat;
  }
  table {
    border-collapse: collapse;
    font-size: var(--step--2);
    white-space: nowrap;
  }
  caption {
    padding: 0.5rem 0.6rem;
    text-align: left;
    color: var(--muted);
    white-space: normal;
  }
  th,
  td {
    padding: 0.25rem 0.6rem;
    text-align: right;
    border-top: 1px solid var(--rule);
  }
  thead th {
    vertical-align: bottom;
  }
  th {
    font-weight: 600;
    color: var(--muted);
    background: var(--paper);
  }
  tbody th {
    position: sticky;
    left: 0;
    text-align: left;
  }
  td.here {
    outline: 2px solid var(--accent);
    outline-offset: -2px;
    font-weight: 650;
  }
  td.largest {
    font-weight: 650;
  }
  .stat {
    border-left: 1px solid var(--edge);
  }
  @media (forced-colors: active) {
    .scroll {
      background: none;
    }
  }
  .masked {
    color: var(--muted);
  }
`;
