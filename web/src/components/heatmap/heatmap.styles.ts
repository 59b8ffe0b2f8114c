import { css } from 'lit';

export const styles = css`
  :host {
    --row-gutter: 3rem;
    --col-gutter: 1.4rem;
    /* Pictures side by side share the rows of their grid: however many lines the words of one take, all begin alike. */
    display: grid;
    grid-row: span 2;
    grid-template: subgrid / minmax(0, 1fr);
    row-gap: 0;
    min-width: 0;
  }
  :host([tokens]) {
    --row-gutter: 3.9rem;
    --col-gutter: 3.6rem;
  }
  h2 {
    margin: 0;
    font: 600 var(--step-0) / 1.3 var(--sans);
  }
  .subtitle {
    display: var(--heatmap-extras, block);
    margin: 0 0 0.4rem;
    min-height: 1.45em;
    color: var(--muted);
    overflow-wrap: anywhere;
  }
  .plot {
    display: grid;
    grid-template: var(--col-gutter) auto / var(--row-gutter) minmax(0, 1fr);
  }
  [hidden] {
    display: none;
  }
  :host([busy]) attn-arcs {
    opacity: 0.6;
  }
  .columns,
  .rows {
    /* Where pictures are so small that the matrices take the room of the words. */
    display: var(--heatmap-labels, block);
    position: relative;
    font-size: var(--step--2);
    line-height: 1;
    color: var(--muted);
  }
  .columns {
    grid-area: 1 / 2;
  }
  .rows {
    grid-area: 2 / 1;
  }
  .corner {
    display: var(--heatmap-extras, block);
    grid-area: 1 / 1;
    align-self: end;
    justify-self: end;
    padding: 0 0.3rem 0.25rem 0;
    color: var(--muted);
    font-size: var(--step--2);
    line-height: 1.1;
    /* Beside numbers the gutter is narrow, and the picture needs the rest. */
    word-spacing: -0.1em;
    white-space: nowrap;
  }
  .label {
    position: absolute;
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .rows .label {
    right: 0.25rem;
    max-width: calc(var(--row-gutter) - 0.3rem);
    transform: translateY(-50%);
    line-height: 1.4;
  }
  .columns .label {
    bottom: 0.3rem;
    max-height: calc(var(--col-gutter) - 0.4rem);
    transform: translateX(-50%);
    line-height: 1.4;
  }
  .columns .label.turned {
    writing-mode: vertical-rl;
    transform: translateX(-50%) rotate(180deg);
  }
  .label.current {
    color: var(--ink);
    font-weight: 650;
    background: var(--paper);
    z-index: 1;
  }
  .frame {
    grid-area: 2 / 2;
    position: relative;
    aspect-ratio: 1;
    overflow: hidden;
    /* Masked cells are transparent in the canvas, so this hatch shows through them. */
    background: repeating-linear-gradient(
      135deg,
      var(--hatch) 0 1px,
      var(--hatch-ground) 1px 5px
    );
    box-shadow: 0 0 0 1px var(--edge);
    cursor: crosshair;
    touch-action: pan-y;
    forced-color-adjust: none;
  }
  .frame.empty {
    background: var(--wash);
  }
  .frame.zoomed {
    touch-action: none;
  }
  .frame:focus-visible {
    outline-offset: 3px;
  }
  canvas {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    image-rendering: pixelated;
  }
  /* The picture is not dimmed by opacity: the hatch below would show through everywhere and mean masked. */
  :host([busy]) .frame::after {
    content: '';
    position: absolute;
    inset: 0;
    background: var(--paper);
    opacity: 0.4;
    pointer-events: none;
  }
  .smooth {
    image-rendering: auto;
  }
  .marks {
    image-rendering: auto;
    pointer-events: none;
  }
  /* Only edges: the colours of the cells inside a band stay as they are. */
  .band {
    position: absolute;
    pointer-events: none;
    box-shadow: inset 0 0 0 1px #fff, 0 0 0 1px #000;
    opacity: 0.85;
  }
  .cursor {
    position: absolute;
    pointer-events: none;
    outline: 2px solid #fff;
    box-shadow: 0 0 0 3px #000, inset 0 0 0 1px #000;
  }
  .cursor.locked {
    outline-width: 3px;
    box-shadow: 0 0 0 5px #000, inset 0 0 0 1px #000;
  }
  .bar,
  .read {
    container-type: inline-size;
  }
  /* Three pictures side by side on a phone have room for the ends of the bar, and none for a sentence. */
  @container (width < 6rem) {
    .ticks span:not(.first, .last),
    .how {
      display: none;
    }
  }
  .bar {
    margin: 0.55rem 0 0 var(--row-gutter);
    font-size: var(--step--2);
    color: var(--muted);
  }
  .ramp {
    height: 0.6rem;
    box-shadow: 0 0 0 1px var(--edge);
    forced-color-adjust: none;
  }
  .ticks {
    position: relative;
    height: 1.35rem;
  }
  .ticks span {
    position: absolute;
    top: 0.3rem;
    transform: translateX(-50%);
    white-space: nowrap;
    line-height: 1;
  }
  .ticks span::before {
    content: '';
    position: absolute;
    left: 50%;
    top: -0.3rem;
    height: 0.2rem;
    border-left: 1px solid var(--muted);
  }
  .ticks span.first {
    transform: none;
  }
  .ticks span.first::before {
    left: 0;
  }
  .ticks span.last {
    transform: translateX(-100%);
  }
  .ticks span.last::before {
    left: calc(100% - 1px);
  }
  .read {
    /* Small multiples have neither: what is pointed at is said once, below them. */
    display: var(--heatmap-extras, block);
    margin: 0.1rem 0 0 var(--row-gutter);
    min-height: 2.95em;
    font-size: var(--step--1);
    overflow-wrap: anywhere;
  }
  .read b {
    font-weight: 650;
  }
  .hint {
    color: var(--muted);
  }
  .tools {
    display: var(--heatmap-extras, flex);
    flex-wrap: wrap;
    gap: 0.1rem;
    margin-left: calc(var(--row-gutter) - 0.4rem);
    font-size: var(--step--2);
  }
  .tools .gap {
    flex: 1;
  }
  svg {
    display: block;
    width: 0.9rem;
    height: 0.9rem;
    margin: auto;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.5;
  }
  @media (max-width: 88rem) {
    .tools {
      margin-left: -0.4rem;
    }
  }
  @media (max-width: 30rem) {
    :host([tokens]) {
      --row-gutter: 3.4rem;
    }
  }
  /* Whoever has a pointer sees the pictures alone until one is pointed at. */
  @media (hover: hover) {
    :host(:not(:hover, :focus-within)) .tools {
      opacity: 0;
    }
  }
  @media print {
    .tools,
    .hint {
      display: none;
    }
  }
`;
