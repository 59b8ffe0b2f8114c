/** Points of a picture that pointers and keys move: buttons that lie over the picture. */
import { html, nothing } from 'lit';
import { boxSeen } from '../../components/box-seen.ts';
import { type Plot, type Point, placed, pointAt } from './plot.ts';

export interface Grip extends Point {
  /** What a screen reader hears. */
  readonly label: string;
}

export interface Moves {
  /** `draft` says that the gesture goes on. */
  readonly move: (index: number, to: Point, draft: boolean) => void;
  /** What the key Delete does, where points can be taken away. */
  readonly remove?: (index: number) => void;
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
/** How many presses lead from one end of an axis to the other; with Shift a fifth of them. */
const PRESSES = 100;

function placeOf(event: PointerEvent, plot: Plot): Point {
  const picture = (event.currentTarget as HTMLElement).parentElement as HTMLElement;
  const box = boxSeen(picture);
  return pointAt(
    plot,
    ((event.clientX - box.left) * plot.width) / box.width,
    ((event.clientY - box.top) * plot.height) / box.height,
  );
}

export function grips(plot: Plot, points: readonly Grip[], { move, remove }: Moves): unknown {
  return points.map((point, index) => {
    const [x, y] = placed(plot, point);
    const dragged = (event: PointerEvent, draft: boolean): void => {
      const grip = event.currentTarget as HTMLElement;
      if (!grip.hasPointerCapture(event.pointerId)) return;
      move(index, placeOf(event, plot), draft);
    };
    return html`<button
      class="kernel-grip"
      type="button"
      .style=${`left:${(100 * x) / plot.width}%;top:${(100 * y) / plot.height}%`}
      aria-label=${point.label}
      title=${remove ? point.label : nothing}
      @pointerdown=${(event: PointerEvent) => {
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
        event.preventDefault();
        (event.currentTarget as HTMLElement).focus();
      }}
      @pointermove=${(event: PointerEvent) => dragged(event, true)}
      @pointerup=${(event: PointerEvent) => dragged(event, false)}
      @keydown=${(event: KeyboardEvent) => {
        if ((event.key === 'Delete' || event.key === 'Backspace') && remove) {
          event.preventDefault();
          remove(index);
          return;
        }
        const way = ARROWS[event.key];
        if (!way) return;
        event.preventDefault();
        const size = event.shiftKey ? 5 : 1;
        const moved = (value: number, [low, high]: readonly [number, number], by: number) =>
          Math.round(
            100 * Math.min(high, Math.max(low, value + (by * size * (high - low)) / PRESSES)),
          ) / 100;
        move(
          index,
          { x: moved(point.x, plot.x, way[0]), y: moved(point.y, plot.y, way[1]) },
          false,
        );
      }}
    ></button>`;
  });
}
