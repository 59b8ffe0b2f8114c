import { css } from 'lit';

export const styles = css`
  .zone {
    display: grid;
    grid-template-columns: auto 1fr auto;
    align-items: center;
    gap: 0.3rem 0.6rem;
    padding: 0.5rem 0.6rem;
    border: 1px dashed var(--edge);
    border-radius: 3px;
  }
  .zone.over {
    border-style: solid;
    border-color: var(--accent);
    background: var(--wash);
  }
  .zone.filled {
    border-style: solid;
  }
  .letter {
    font: italic 1.35rem / 1 var(--serif);
  }
  .what {
    min-width: 0;
    overflow-wrap: anywhere;
    line-height: 1.3;
  }
  .what small {
    display: block;
    font-size: var(--step--2);
    color: var(--muted);
  }
  .actions {
    display: flex;
    gap: 0.1rem;
  }
  .actions button {
    color: var(--accent);
  }
  textarea {
    grid-column: 1 / -1;
    width: 100%;
    min-height: 4rem;
    padding: 0.4rem;
    font: var(--step--2) / 1.4 ui-monospace, monospace;
    color: inherit;
    background: var(--field);
    border: 1px solid var(--edge);
    border-radius: 3px;
  }
  input[type='file'] {
    display: none;
  }
  .note button {
    padding-inline: 0.2rem;
    color: var(--accent);
    text-decoration: underline;
  }
  .choice {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 0.6rem;
    align-items: center;
    margin: 0.35rem 0 0;
    color: var(--muted);
  }
  .choice select,
  .choice input {
    max-width: 100%;
    min-height: 1.75rem;
    padding: 0.1rem 0.3rem;
    font: inherit;
    color: var(--ink);
    background: var(--field);
    border: 1px solid var(--edge);
    border-radius: 3px;
  }
  .note {
    margin: 0.35rem 0 0;
    color: var(--muted);
  }
  .error {
    margin: 0.35rem 0 0;
    padding-left: 0.6rem;
    border-left: 3px solid var(--error);
    color: var(--error);
  }
`;
