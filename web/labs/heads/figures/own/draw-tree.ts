/** The tree of distances as an SVG: leaves at the left, and joints as far right as their groups are apart. */
import type { HeadDistances } from '#client';
import type { Paint } from '../../../../src/plot/chart-colors.ts';
import { ticks } from '../../../../src/plot/color.ts';
import { formatTick } from '../../../../src/plot/format.ts';
import { escapeXml, line, round, text } from '../../../../src/plot/svg.ts';

const WIDTH = 640;
/** On a phone, where letters that are made smaller cannot be read. */
const SMALL_WIDTH = 372;
const LABEL = 44;

export interface Drawn {
  readonly svg: string;
  readonly body: string;
  readonly width: number;
  readonly height: number;
}

/** `names` are those of the leaves, in their order. */
export function drawTree(
  { merges, leafOrder }: Pick<HeadDistances, 'merges' | 'leafOrder'>,
  names: readonly string[],
  paint: Paint,
  said: { readonly axis: string; readonly label: string },
  small = false,
): Drawn {
  const width = small ? SMALL_WIDTH : WIDTH;
  const leaves = leafOrder.length;
  // Many leaves stand in several columns of names, so that those next to each other do not touch.
  const row = leaves > 40 ? 5 : small ? 11 : Math.max(12, Math.min(22, 340 / leaves));
  const columns = Math.max(1, Math.ceil(11 / row));
  const left = LABEL * columns;
  const most = merges.data[(leaves - 2) * 4 + 2] || 1;
  const x = (distance: number): number => left + ((width - left - 12) * distance) / most;
  const places: (readonly [x: number, y: number])[] = [];
  leafOrder.forEach((leaf, i) => {
    places[leaf] = [left, 10 + row * (i + 0.5)];
  });
  const parts: string[] = [];
  names.forEach((name, i) => {
    const y = 10 + row * (i + 0.5);
    const at = left - 5 - (i % columns) * LABEL;
    parts.push(
      text(at, y + 4, name, paint.ink, { anchor: 'end', size: small || leaves > 40 ? 10.5 : 12.5 }),
    );
  });
  for (let i = 0; i < leaves - 1; i++) {
    const [a = 0, b = 0, apart = 0] = merges.data.subarray(i * 4, i * 4 + 4);
    const [ax, ay] = places[a] ?? [left, 0];
    const [bx, by] = places[b] ?? [left, 0];
    const at = x(apart);
    const path = `M${round(ax)} ${round(ay)}H${round(at)}V${round(by)}H${round(bx)}`;
    parts.push(
      `<path class="line" d="${path}" fill="none" stroke="${paint.accent}" stroke-width="1.5"/>`,
    );
    places[leaves + i] = [at, (ay + by) / 2];
  }
  const bottom = 14 + row * leaves;
  parts.push(line(left, bottom, width - 12, bottom, paint.muted));
  for (const tick of ticks(0, most, 5)) {
    parts.push(line(x(tick), bottom, x(tick), bottom + 4, paint.muted));
    parts.push(
      text(x(tick), bottom + 17, formatTick(tick), paint.muted, { anchor: 'middle', size: 12 }),
    );
  }
  parts.push(text(width - 12, bottom + 33, said.axis, paint.muted, { anchor: 'end', size: 12 }));
  const height = bottom + 40;
  const body = parts.join('');
  return {
    ...{ body, width, height },
    svg: `<svg viewBox="0 0 ${width} ${Math.ceil(height)}" role="img" aria-label="${escapeXml(said.label)}">${body}</svg>`,
  };
}
