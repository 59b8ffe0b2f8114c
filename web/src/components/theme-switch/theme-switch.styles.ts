import { css } from 'lit';

export const styles = css`
  button {
    display: inline-flex;
    align-items: center;
    gap: 0.45rem;
    min-height: 2rem;
  }
  svg {
    width: 1rem;
    height: 1rem;
    stroke: currentColor;
    fill: none;
    stroke-width: 1.4;
  }
  path {
    fill: currentColor;
    stroke: none;
  }
`;
