import { css } from 'lit';

export const styles = css`
  .line {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: 0.75rem;
  }
  label {
    min-width: 0;
  }
  label .symbol {
    font-family: var(--serif);
    font-style: italic;
  }
  .name {
    color: var(--muted);
  }
  input {
    font: inherit;
    color: inherit;
  }
  #number {
    width: 4.75rem;
    min-height: 1.75rem;
    padding: 0 0.4rem;
    text-align: right;
    border: 1px solid var(--edge);
    border-radius: 3px;
    background: var(--field);
  }
  #number[aria-invalid='true'] {
    border-color: var(--error);
  }
  input[type='range'] {
    display: block;
    width: 100%;
    height: 1.5rem;
    margin: 0;
    background: none;
    appearance: none;
    cursor: pointer;
  }
  input[type='range']::-webkit-slider-runnable-track {
    height: 2px;
    background: linear-gradient(
      to right,
      var(--accent) var(--filled, 0%),
      var(--edge) var(--filled, 0%)
    );
  }
  input[type='range']::-moz-range-track {
    height: 2px;
    background: var(--edge);
  }
  input[type='range']::-moz-range-progress {
    height: 2px;
    background: var(--accent);
  }
  input[type='range']::-webkit-slider-thumb {
    appearance: none;
    width: 1rem;
    height: 1rem;
    margin-top: calc(1px - 0.5rem);
    border: 2px solid var(--paper);
    border-radius: 50%;
    background: var(--accent);
  }
  input[type='range']::-moz-range-thumb {
    width: 0.8rem;
    height: 0.8rem;
    border: 2px solid var(--paper);
    border-radius: 50%;
    background: var(--accent);
  }
  input:disabled {
    opacity: 0.5;
    cursor: default;
  }
  .error {
    margin: 0.1rem 0 0;
    color: var(--error);
  }
  @media (forced-colors: active) {
    input[type='range']::-webkit-slider-runnable-track {
      background: CanvasText;
    }
    input[type='range']::-webkit-slider-thumb {
      background: Highlight;
      forced-color-adjust: none;
    }
  }
`;
