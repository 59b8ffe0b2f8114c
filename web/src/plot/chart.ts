/**
 * Charts with logarithmic axes as SVG text: what the page shows and what a file holds are the same
 * characters. Nothing here knows a browser; colours stand in the text, so that a file needs no sheet.
 */
import { ticks } from './color.ts';
import { formatTick } from './format.ts';
import { labelRows } from './labels.ts';

export type Mark = 'circle' | 'square' | 'diamond' | 'triangle' | 'down' | 'cross' | 'plus';

export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  /** The spread about y. */
  readonly low: number;
  readonly high: number;
}

export interface Series {
  readonly id: string;
  readonly label: string;
  readonly color: string;
  readonly mark: Mark;
  /** Drawn hollow: a second way to tell families apart. */
  readonly hollow?: boolean;
  /** Of the line; 1.75 unless given. */
  readonly width?: number;
  /** No marks: there are too many points, and the line says it all. */
  readonly bare?: boolean;
  readonly points: readonly ChartPoint[];
  /** A fitted line with its band, over a part of the axis. */
  readonly fit?: {
    readonly x: readonly number[];
    readonly y: readonly number[];
    readonly low: readonly number[];
    readonly high: readonly number[];
  };
}

/** A length that matters, as an upright line. */
export interface Marker {
  readonly x: number;
  readonly label: string;
  readonly dashed?: boolean;
  /** In the accent colour. */
  readonly strong?: boolean;
}

export interface Paint {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly rule: string;
  readonly accent: string;
}

export const paints: Readonly<Record<'light' | 'dark', Paint>> = {
  light: { paper: '#fcfbf8', ink: '#1e1d1a', muted: '#5f5b53', rule: '#e2ded5', accent: '#0d5c75' },
  dark: { paper: '#17171a', ink: '#e9e7e1', muted: '#a9a59c', rule: '#33333a', accent: '#6fc3dc' },
};

/** Told apart with any kind of colour vision, each at least 3 : 1 on its paper (Okabe, Ito). */
export const seriesColors: Readonly<Record<'light' | 'dark', readonly string[]>> = {
  light: ['#1e1d1a', '#a63f00', '#6b6459', '#0067a5', '#007a5a', '#a5407c', '#8a6a00'],
  dark: ['#e9e7e1', '#ff9b57', '#a9a59c', '#6db7f2', '#41c79c', '#e691c0', '#e0bd4a'],
};

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Domain {
  readonly low: number;
  readonly high: number;
  /** Equal ways are equal differences, not equal ratios. */
  readonly linear?: boolean;
}

export const escapeXml = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[char] ?? '',
  );

const round = (value: number): string => String(Math.round(value * 10) / 10);

/** Where a value stands between two pixels, on a logarithmic axis unless the domain is linear. */
export function logPlace({ low, high, linear }: Domain, from: number, to: number) {
  if (linear) {
    const perUnit = (to - from) / (high - low || 1);
    return {
      at: (value: number): number => from + (value - low) * perUnit,
      value: (place: number): number => low + (place - from) / perUnit,
    };
  }
  const span = Math.log(high / low) || 1;
  return {
    at: (value: number): number => from + (Math.log(value / low) / span) * (to - from),
    value: (place: number): number => low * Math.exp(((place - from) / (to - from)) * span),
  };
}

/** All values with a little room about them. */
export function domainOf(values: Iterable<number>, room = 1.12): Domain | undefined {
  let [low, high] = [Infinity, 0];
  for (const value of values) {
    if (!(value > 0) || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return high > 0 ? { low: low / room, high: high * room } : undefined;
}

/** How many ticks a decade may have, and where they are. */
const STEPS = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]];
const ROOM = [10, 9, 3, 2, 0];

/** 1, 2, 5, 10 … within the domain: more of them where there is room, at least powers of ten. */
export function logTicks({ low, high }: Domain, most = 9): number[] {
  const decades = Math.log10(high / low);
  const steps = STEPS[ROOM.findIndex((ticks) => decades * ticks <= most)] ?? [];
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const step of steps) {
      const value = Number((step * 10 ** power).toPrecision(3));
      if (value >= low && value <= high) found.push(value);
    }
  }
  return found;
}

/** Powers of two within the domain, thinned to at most `most`. */
export function binaryTicks({ low, high }: Domain, most = 9): number[] {
  const found: number[] = [];
  for (let power = Math.ceil(Math.log2(low)); 2 ** power <= high; power++) found.push(2 ** power);
  const every = Math.ceil(found.length / most);
  return found.filter((_, i) => (found.length - 1 - i) % every === 0);
}

export function markShape(mark: Mark, x: number, y: number, r: number): string {
  const [a, b] = [round(x), round(y)];
  const path = (d: string): string => `<path d="${d}"/>`;
  const p = (dx: number, dy: number): string => `${round(x + dx * r)} ${round(y + dy * r)}`;
  switch (mark) {
    case 'circle':
      return `<circle cx="${a}" cy="${b}" r="${round(r)}"/>`;
    case 'square':
      return path(`M${p(-0.88, -0.88)}L${p(0.88, -0.88)}L${p(0.88, 0.88)}L${p(-0.88, 0.88)}Z`);
    case 'diamond':
      return path(`M${p(0, -1.25)}L${p(1.25, 0)}L${p(0, 1.25)}L${p(-1.25, 0)}Z`);
    case 'triangle':
      return path(`M${p(0, -1.2)}L${p(1.1, 0.85)}L${p(-1.1, 0.85)}Z`);
    case 'down':
      return path(`M${p(0, 1.2)}L${p(1.1, -0.85)}L${p(-1.1, -0.85)}Z`);
    case 'cross':
      return path(`M${p(-0.9, -0.9)}L${p(0.9, 0.9)}M${p(0.9, -0.9)}L${p(-0.9, 0.9)}`);
    case 'plus':
      return path(`M${p(-1.15, 0)}L${p(1.15, 0)}M${p(0, -1.15)}L${p(0, 1.15)}`);
  }
}

/** A mark with the attributes that paint it. */
export function paintedMark(
  { mark, color, hollow }: Pick<Series, 'mark' | 'color' | 'hollow'>,
  x: number,
  y: number,
  paper: string,
  r = 4,
): string {
  const fill = hollow ? paper : color;
  return `<g class="mark${hollow ? ' hollow' : ''}" fill="${fill}" stroke="${color}" stroke-width="1.5">${markShape(mark, x, y, r)}</g>`;
}

const text = (
  x: number,
  y: number,
  words: string,
  fill: string,
  { anchor = 'start', size = 12, weight = '', kind = 'muted', halo = '' } = {},
): string =>
  `<text class="${kind}" x="${round(x)}" y="${round(y)}" fill="${fill}" font-size="${size}" text-anchor="${anchor}"${
    weight ? ` font-weight="${weight}"` : ''
  }${halo ? ` stroke="${halo}" stroke-width="4" paint-order="stroke" stroke-linejoin="round"` : ''}>${withSubscripts(escapeXml(words))}</text>`;

/** `d_k` as it is written by hand; what follows comes up again. */
const withSubscripts = (words: string): string =>
  words
    .split(/\b([a-zA-Z]_[a-z])\b/)
    .map((part, i) => {
      if (i % 2 === 1) {
        const [letter, below] = part.split('_');
        return `<tspan font-style="italic">${letter}<tspan dy="0.32em" font-size="75%">${below}</tspan></tspan>`;
      }
      return i > 0 && part ? `<tspan dy="-0.24em">${part}</tspan>` : part;
    })
    .join('');

const line = (
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  stroke: string,
  { width = 1, dash = '', kind = 'rule' } = {},
): string =>
  `<line class="${kind}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}" stroke-width="${width}"${
    dash ? ` stroke-dasharray="${dash}"` : ''
  }/>`;

/** Labels at the right end, moved apart where they would cover each other. */
export function spreadLabels(places: readonly number[], gap: number, low: number, high: number) {
  const order = places.map((_, i) => i).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const moved = [...places];
  for (let pass = 0; pass < 60; pass++) {
    let quiet = true;
    for (let k = 1; k < order.length; k++) {
      const [a, b] = [order[k - 1] as number, order[k] as number];
      const overlap = gap - ((moved[b] ?? 0) - (moved[a] ?? 0));
      if (overlap <= 0.01) continue;
      quiet = false;
      moved[a] = (moved[a] ?? 0) - overlap / 2;
      moved[b] = (moved[b] ?? 0) + overlap / 2;
    }
    for (const i of order) moved[i] = Math.max(low, Math.min(high, moved[i] ?? 0));
    if (quiet) break;
  }
  return moved;
}

/** About as wide as words of this length are written. */
const labelWidth = (words: string): number => 7 * words.length + 6;

/** Of the markers within the axis: their words and rows. */
function placedMarkers({ frame, x: domain, markers }: Pick<LineChart, 'frame' | 'x' | 'markers'>) {
  const x = logPlace(domain, frame.left, frame.width - frame.right);
  const within = markers.filter(({ x: value }) => value >= domain.low && value <= domain.high);
  const labels = within.map(({ x: value, label }) => ({
    at: x.at(value),
    wide: labelWidth(label),
  }));
  const rows = labelRows(labels, 0, frame.width);
  return within.map((marker, i) => ({
    marker,
    at: labels[i]?.at ?? 0,
    row: rows[i]?.row ?? 0,
    left: rows[i]?.left ?? false,
  }));
}

const LABEL_ROW = 16;

/** What the words above the plot need of the frame's `top`. */
export const labelsHeight = (chart: Pick<LineChart, 'frame' | 'x' | 'markers'>): number =>
  LABEL_ROW * (1 + Math.max(-1, ...placedMarkers(chart).map(({ row }) => row)));

export interface LineChart {
  readonly frame: Frame;
  readonly x: Domain;
  readonly y: Domain;
  readonly series: readonly Series[];
  readonly markers: readonly Marker[];
  readonly xLabel: string;
  readonly yLabel: string;
  /** Words at the lines' ends; else the page has a legend. */
  readonly named: boolean;
  readonly paint: Paint;
  readonly formatY?: (value: number) => string;
  /** A value that nothing exceeds, as a level line. */
  readonly limit?: { readonly y: number; readonly label: string };
  /** Highlighted: which series, and which of its points. */
  readonly at?: { readonly series: string; readonly point: number } | undefined;
}

/** A band that covers the chart says nothing that the numbers do not say better. */
const WIDE_BAND = 5;

const polyline = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');

/** The inside of the <svg>. */
export function drawLines(chart: LineChart): string {
  const { frame, series, paint } = chart;
  const { left, top } = frame;
  const [right, bottom] = [frame.width - frame.right, frame.height - frame.bottom];
  const x = logPlace(chart.x, left, right);
  const y = logPlace(chart.y, bottom, top);
  const format = chart.formatY ?? formatTick;
  const parts: string[] = [];
  const yTicks = (most: number): number[] =>
    chart.y.linear ? ticks(chart.y.low, chart.y.high, most / 2) : logTicks(chart.y, most);
  const xTicks = (most: number): number[] =>
    chart.x.linear ? ticks(chart.x.low, chart.x.high, most / 2) : binaryTicks(chart.x, most);
  for (const tick of yTicks(Math.max(3, (bottom - top) / 34))) {
    parts.push(line(left, y.at(tick), right, y.at(tick), paint.rule));
    parts.push(text(left - 8, y.at(tick) + 4, format(tick), paint.muted, { anchor: 'end' }));
  }
  for (const tick of xTicks(Math.max(2, (right - left) / 46))) {
    parts.push(line(x.at(tick), bottom, x.at(tick), bottom + 5, paint.muted, { kind: 'axis' }));
    const words = chart.x.linear ? formatTick(tick) : String(tick);
    parts.push(text(x.at(tick), bottom + 19, words, paint.muted, { anchor: 'middle' }));
  }
  parts.push(line(left, bottom, right, bottom, paint.muted, { kind: 'axis' }));
  parts.push(
    text((left + right) / 2, bottom + 38, chart.xLabel, paint.muted, { anchor: 'middle' }),
  );
  parts.push(text(4, top - 12 - labelsHeight(chart), chart.yLabel, paint.muted));

  if (chart.limit) {
    const at = y.at(chart.limit.y);
    parts.push(line(left, at, right, at, paint.ink, { width: 1.5, kind: 'marker limit' }));
    parts.push(
      text(left + 6, at - 6, chart.limit.label, paint.ink, { kind: 'ink', halo: paint.paper }),
    );
  }
  const said: string[] = [];
  for (const { marker, at, row, left: turned } of placedMarkers(chart)) {
    const { label, dashed, strong } = marker;
    const color = strong ? paint.accent : paint.muted;
    const level = top - 7 - LABEL_ROW * row;
    parts.push(
      line(at, level - 9, at, bottom, color, {
        width: strong ? 2 : 1.25,
        dash: dashed ? '5 4' : '',
        kind: strong ? 'marker strong' : 'marker',
      }),
    );
    said.push(
      text(at + (turned ? -6 : 6), level, label, color, {
        anchor: turned ? 'end' : 'start',
        kind: strong ? 'strong' : 'muted',
        weight: strong ? '600' : '',
        halo: paint.paper,
      }),
    );
  }
  parts.push(...said);

  for (const one of series) {
    const { fit, color } = one;
    if (!fit || fit.x.length < 2) continue;
    const clamp = ([a, b]: readonly [number, number]) =>
      [a, Math.max(top, Math.min(bottom, b))] as const;
    const wide = fit.x.some((_, i) => (fit.high[i] ?? 1) > WIDE_BAND * (fit.low[i] ?? 1));
    const band = [
      ...fit.x.map((value, i) => [x.at(value), y.at(fit.high[i] ?? 1)] as const),
      ...fit.x.map((value, i) => [x.at(value), y.at(fit.low[i] ?? 1)] as const).reverse(),
    ];
    if (!wide)
      parts.push(
        `<path class="band" d="${polyline(band.map(clamp))}Z" fill="${color}" fill-opacity="0.14"/>`,
      );
    parts.push(
      `<path class="fit" d="${polyline(fit.x.map((value, i) => clamp([x.at(value), y.at(fit.y[i] ?? 1)])))}" fill="none" stroke="${color}" stroke-width="1" stroke-dasharray="2 3"/>`,
    );
  }
  for (const one of series) {
    const places = one.points.map((point) => [x.at(point.x), y.at(point.y)] as const);
    parts.push(`<g class="series" data-series="${escapeXml(one.id)}">`);
    parts.push(
      `<path class="line" d="${polyline(places)}" fill="none" stroke="${one.color}" stroke-width="${one.width ?? 1.75}"/>`,
    );
    one.points.forEach((point, i) => {
      const [px, py] = places[i] as readonly [number, number];
      const [low, high] = [y.at(point.low), y.at(point.high)];
      if (low - high > 1.5) {
        parts.push(line(px, low, px, high, one.color, { width: 1.5, kind: 'spread' }));
      }
      if (!one.bare) parts.push(paintedMark(one, px, py, paint.paper));
    });
    parts.push('</g>');
  }
  if (chart.named) {
    const ends = series.flatMap((one) => {
      const last = one.points.at(-1);
      return last ? [{ one, y: y.at(last.y), x: x.at(last.x) }] : [];
    });
    const moved = spreadLabels(
      ends.map((end) => end.y),
      16,
      top,
      bottom,
    );
    ends.forEach(({ one, x: px, y: py }, i) => {
      const at = moved[i] ?? py;
      if (Math.abs(at - py) > 3) {
        parts.push(line(px + 7, py, right + 8, at, one.color, { width: 0.75, kind: 'leader' }));
      } else
        parts.push(line(px + 7, py, right + 8, py, one.color, { width: 0.75, kind: 'leader' }));
      parts.push(text(right + 12, at + 4, one.label, one.color, { kind: 'name' }));
    });
  }
  const held = series.find(({ id }) => id === chart.at?.series);
  const point = held?.points[chart.at?.point ?? -1];
  if (held && point) {
    parts.push(
      `<circle class="held" cx="${round(x.at(point.x))}" cy="${round(y.at(point.y))}" r="9" fill="none" stroke="${paint.accent}" stroke-width="2"/>`,
    );
  }
  return parts.join('');
}

export interface Dot {
  readonly label: string;
  readonly color: string;
  readonly mark: Mark;
  readonly hollow?: boolean;
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export interface DotRow {
  readonly label: string;
  readonly dots: readonly Dot[];
  /** What is asked of this row. */
  readonly goal?: number | undefined;
}

export interface DotChart {
  readonly width: number;
  readonly rows: readonly DotRow[];
  readonly xLabel: string;
  readonly paint: Paint;
  /** Width of the column of labels; 0 writes each above its row. */
  readonly gutter: number;
}

const ROW = 30;
const HEAD = 20;
const FOOT = 46;

export const dotsHeight = ({ rows, gutter }: Pick<DotChart, 'rows' | 'gutter'>): number =>
  HEAD + rows.length * (gutter > 0 ? ROW : ROW + 16) + FOOT;

/** Ratios on a logarithmic axis, one row a case, with the line of "equally fast". */
export function drawDots(chart: DotChart): string {
  const { rows, paint, width, gutter } = chart;
  const pitch = gutter > 0 ? ROW : ROW + 16;
  const dots = rows.flatMap((row) => row.dots);
  const goals = rows.flatMap(({ goal }) => (goal === undefined ? [] : [goal]));
  const domain = domainOf([1, ...goals, ...dots.flatMap(({ low, high }) => [low, high])], 1.2) ?? {
    low: 0.5,
    high: 2,
  };
  const [left, right] = [gutter + 8, width - 16];
  const bottom = HEAD + rows.length * pitch;
  const x = logPlace(domain, left, right);
  const parts: string[] = [];
  // Where labels stand above their rows, no line runs through them.
  const pieces =
    gutter > 0
      ? [[HEAD, bottom] as const]
      : rows.map((_, i) => [HEAD + i * pitch + 20, HEAD + (i + 1) * pitch] as const);
  const upright = (place: number, color: string, over = 0, more?: Parameters<typeof line>[5]) => {
    for (const [from, to] of pieces) {
      parts.push(line(place, from - 1.5 * over, place, to + over, color, more));
    }
  };
  for (const tick of logTicks(domain, Math.max(2, (right - left) / 60))) {
    const place = x.at(tick);
    upright(place, paint.rule);
    parts.push(text(place, bottom + 17, `${formatTick(tick)}×`, paint.muted, { anchor: 'middle' }));
  }
  upright(x.at(1), paint.ink, gutter > 0 ? 4 : 0, { width: 1.5, kind: 'one' });
  parts.push(
    text((left + right) / 2, bottom + 37, chart.xLabel, paint.muted, { anchor: 'middle' }),
  );
  rows.forEach(({ label, dots: found, goal }, i) => {
    const y = HEAD + i * pitch + (gutter > 0 ? pitch / 2 : pitch / 2 + 9);
    parts.push(
      gutter > 0
        ? text(gutter, y + 4, label, paint.ink, { anchor: 'end', kind: 'ink', size: 13 })
        : text(left - 4, y - 14, label, paint.ink, { kind: 'ink', size: 13, halo: paint.paper }),
    );
    if (i > 0) {
      const edge = HEAD + i * pitch;
      parts.push(line(gutter > 0 ? 0 : left, edge, right, edge, paint.rule));
    }
    if (goal !== undefined) {
      const place = x.at(goal);
      parts.push(
        `<path class="goal" d="M${round(place)} ${round(y - 10)}V${round(y + 10)}M${round(place)} ${round(y - 10)}h5M${round(place)} ${round(y + 10)}h5" fill="none" stroke="${paint.muted}" stroke-width="1.5"/>`,
      );
    }
    for (const dot of found) {
      parts.push(
        line(x.at(dot.low), y, x.at(dot.high), y, dot.color, { width: 2, kind: 'spread' }),
      );
      parts.push(paintedMark(dot, x.at(dot.median), y, paint.paper, 5));
    }
  });
  return parts.join('');
}

/** A file of its own: the chart, with title and caption. */
export function standalone({
  inside,
  width,
  height,
  title,
  caption,
  legend = [],
  paint,
}: {
  readonly inside: string;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly caption: string;
  readonly legend?: readonly Pick<Series, 'label' | 'mark' | 'color' | 'hollow'>[];
  readonly paint: Paint;
}): string {
  const margin = 24;
  const parts: string[] = [];
  parts.push(text(margin, 34, title, paint.ink, { size: 18, weight: '600', kind: 'ink' }));
  let y = 52;
  let x = margin;
  for (const one of legend) {
    const wide = 24 + 7 * one.label.length;
    if (x + wide > width + margin) {
      x = margin;
      y += 20;
    }
    parts.push(paintedMark(one, x + 6, y + 4, paint.paper));
    parts.push(text(x + 16, y + 8, one.label, paint.ink, { kind: 'ink' }));
    x += wide + 10;
  }
  const top = y + (legend.length > 0 ? 24 : 4);
  parts.push(`<g transform="translate(${margin} ${top})">${inside}</g>`);
  const lines: string[] = [];
  let now = '';
  for (const word of caption.split(/\s+/)) {
    if (now && (now.length + word.length + 1) * 6.3 > width) {
      lines.push(now);
      now = word;
    } else now = now ? `${now} ${word}` : word;
  }
  if (now) lines.push(now);
  lines.forEach((words, i) => {
    parts.push(text(margin, top + height + 20 + 18 * i, words, paint.muted));
  });
  const [w, h] = [width + 2 * margin, top + height + 20 + 18 * lines.length + 8];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${round(h)}" viewBox="0 0 ${w} ${round(h)}" font-family="Inter, system-ui, sans-serif"><rect width="100%" height="100%" fill="${paint.paper}"/>${parts.join('')}</svg>\n`;
}
