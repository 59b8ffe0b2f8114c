import { css } from 'lit';

export const styles = css`
  h2,
  h3 {
    margin: 0;
    font: 600 var(--step-0) / 1.3 var(--sans);
  }
  h3 {
    font-size: var(--step--1);
  }
  :host {
    --good: light-dark(#2a6430, #9fd08f);
  }
  .stale {
    margin: 0 0 0.9rem;
    color: var(--muted);
  }
  .message {
    margin: 0 0 0.9rem;
    padding: 0.6rem 0.9rem;
    border-left: 3px solid var(--warning);
    background: var(--wash);
    font-size: var(--step-0);
  }
  .message.error {
    border-color: var(--error);
  }
  .message h3 {
    margin-bottom: 0.15rem;
    color: var(--muted);
    font-weight: 600;
  }
  .message p {
    margin: 0;
  }
  .cases {
    margin: 0.6rem 0 0;
    padding: 0;
    list-style: none;
    border-top: 1px solid var(--rule);
  }
  .cases > li {
    border-bottom: 1px solid var(--rule);
  }
  summary,
  .flat {
    display: grid;
    grid-template-columns: 1.2rem 5.2rem minmax(0, 1fr) auto;
    gap: 0.4rem;
    align-items: baseline;
    padding: 0.45rem 0.2rem;
    min-height: 1.5rem;
    list-style: none;
  }
  summary {
    cursor: pointer;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  summary:hover .name {
    color: var(--accent);
  }
  summary .name::after {
    content: '';
    display: inline-block;
    width: 0.4rem;
    height: 0.4rem;
    margin: 0 0 0.1rem 0.5rem;
    border: solid var(--muted);
    border-width: 0 1.5px 1.5px 0;
    transform: rotate(-45deg);
  }
  details[open] summary .name::after {
    transform: rotate(45deg);
    margin-bottom: 0.2rem;
  }
  svg.icon {
    width: 1rem;
    height: 1rem;
    align-self: center;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
  }
  .passed .state,
  .passed .icon {
    color: var(--good);
  }
  .failed .state,
  .failed .icon {
    color: var(--error);
    font-weight: 600;
  }
  .none .state,
  .none .icon {
    color: var(--muted);
  }
  .fine {
    color: var(--muted);
    font-size: var(--step--2);
  }
  caption .fine {
    display: block;
  }
  .body {
    padding: 0 0 0.9rem 1.6rem;
    display: grid;
    gap: 0.8rem;
  }
  .body > p {
    margin: 0;
  }
  .why {
    font-size: var(--step-0);
  }
  .matrices {
    display: flex;
    flex-wrap: wrap;
    gap: 0.9rem 2.25rem;
    align-items: flex-start;
  }
  .body h3 {
    margin-bottom: 0.3rem;
  }
  .single {
    padding: 0.15rem 0;
    overflow-wrap: anywhere;
  }
  .named + .named {
    margin-left: 0.8rem;
  }
  .what {
    color: var(--muted);
    font-weight: 600;
    margin-right: 0.4rem;
  }
  .scroll {
    overflow-x: auto;
    max-width: 100%;
    min-width: 0;
  }
  table {
    border-collapse: collapse;
    font-size: var(--step--2);
    white-space: nowrap;
  }
  caption {
    padding-bottom: 0.25rem;
    text-align: left;
    font-size: var(--step--1);
  }
  th {
    font-weight: 400;
    color: var(--muted);
  }
  th,
  td {
    padding: 0.15rem 0.5rem;
    text-align: right;
  }
  tbody td {
    border: 1px solid var(--rule);
  }
  td.here {
    outline: 2px solid var(--error);
    outline-offset: -2px;
    font-weight: 650;
  }
  .delta {
    width: 16rem;
  }
  dl {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 1.5rem;
    margin: 0;
  }
  dl div {
    display: flex;
    gap: 0.4rem;
  }
  dt {
    color: var(--muted);
  }
  dd {
    margin: 0;
    font-weight: 600;
  }
  pre {
    margin: 0;
    padding: 0.5rem 0.7rem;
    max-height: 16rem;
    overflow: auto;
    background: var(--wash);
    font: var(--step--1) / 1.5 ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  code {
    font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
    font-size: 0.9em;
  }
  .plain {
    min-height: 1.5rem;
    padding: 0;
    color: var(--accent);
    text-decoration: underline;
    text-underline-offset: 0.15em;
    background: none;
    border: 0;
  }
  .cost {
    margin-top: 1.2rem;
  }
  .cost table {
    font-size: var(--step--1);
    margin-top: 0.5rem;
  }
  .cost th {
    font-weight: 600;
  }
  .cost p {
    margin: 0.3rem 0 0.6rem;
  }
  .cost .verdict {
    display: grid;
    grid-template-columns: 1.2rem max-content minmax(0, 1fr);
    gap: 0.4rem;
    align-items: baseline;
  }
  .cost .icon {
    align-self: start;
    margin-top: 0.1rem;
  }
  @media (max-width: 30rem) {
    .body {
      padding-left: 0.2rem;
    }
  }
  @media print {
    .scroll,
    pre {
      overflow: visible;
      max-height: none;
    }
  }
`;
