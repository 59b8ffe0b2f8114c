import { css } from 'lit';

export const styles = css`
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 0 1rem;
  }
  h2,
  h3,
  h4 {
    margin: 0;
    font-size: var(--step-0);
    font-weight: 600;
    line-height: 1.3;
  }
  .frame {
    position: relative;
    touch-action: pan-y;
  }
  .frame:focus-visible {
    outline-offset: 4px;
  }
  svg {
    display: block;
    width: 100%;
    overflow: visible;
    font-family: var(--sans);
    font-variant-numeric: tabular-nums lining-nums;
  }
  sub,
  sup {
    font-size: 75%;
    line-height: 0;
  }
  .grip {
    position: absolute;
    width: 1.5rem;
    margin-left: -0.75rem;
    cursor: ew-resize;
    /* It goes sideways; a swipe upwards or downwards scrolls the page. */
    touch-action: pan-y;
  }
  .grip::after {
    content: '';
    position: absolute;
    left: 0.3rem;
    top: 50%;
    width: 0.9rem;
    height: 1.6rem;
    margin-top: -0.8rem;
    border: 2px solid var(--accent);
    border-radius: 0.5rem;
    background: var(--paper);
  }
  .empty {
    position: absolute;
    inset: 0;
    display: grid;
    place-items: end center;
    margin: 0;
    padding: 0 1rem 4.75rem 4rem;
    color: var(--muted);
    text-align: center;
    pointer-events: none;
  }
  .empty span {
    padding: 0.2rem 0.6rem;
    background: var(--paper);
  }
  .read {
    min-height: 1.45em;
    margin: 0.5rem 0 0;
  }
  .hint {
    color: var(--muted);
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.15rem 1.1rem;
    margin: 0.6rem 0 0;
    padding: 0;
    border: 0;
  }
  .legend label {
    display: inline-flex;
    align-items: center;
    gap: 0.4rem;
    min-height: 1.75rem;
    cursor: pointer;
  }
  .legend input {
    width: 1rem;
    height: 1rem;
    margin: 0;
    accent-color: var(--accent);
  }
  .legend svg {
    width: 18px;
    height: 14px;
  }
  @media (forced-colors: active) {
    svg .ink,
    svg .muted,
    svg .strong,
    svg .name {
      fill: CanvasText;
    }
    svg .rule {
      stroke: GrayText;
      stroke-opacity: 0.5;
    }
    svg .axis,
    svg .line:not(.bare),
    svg .spread,
    svg .beyond,
    svg .fit,
    svg .marker {
      stroke: CanvasText;
    }
    svg .stretch {
      fill: CanvasText;
    }
    svg .mark {
      stroke: CanvasText;
      fill: CanvasText;
    }
    svg .mark.hollow {
      fill: Canvas;
    }
  }
  @media print {
    .legend input,
    .grip {
      display: none;
    }
  }
`;
