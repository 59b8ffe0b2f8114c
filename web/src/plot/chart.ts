/**
 * Line charts and scatter plots as SVG text. The page and saved files use the same text. The code needs no browser,
 * and colours are part of the text, so that a file needs no style sheet.
 */
import { axisPlace, axisTicks, type Domain, tickWords } from './axis.ts';
import type { Paint } from './chart-colors.ts';
import {
  labelRows,
  markBox,
  type Obstacles,
  placeLabels,
  placeLevels,
  type Segment,
  wordsBox,
} from './marker-labels.ts';
import { type Look, paintedMark } from './point-marks.ts';
import {
  type Box,
  clippedLine,
  escapeXml,
  line,
  type Place,
  polyline,
  round,
  text,
  textWidth,
} from './svg.ts';

export { type Paint, paints, seriesColors } from './chart-colors.ts';
export { escapeXml } from './svg.ts';

export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  /** The ends of the spread around y; both are y when there is no spread. */
  readonly low: number;
  readonly high: number;
  /** Text that is written beside the point. */
  readonly label?: string;
}

/** Makes a point, with a spread if the ends are given. */
export const chartPoint = (x: number, y: number, low = y, high = y): ChartPoint => ({
  ...{ x, y, low, high },
});

export interface Series extends Look {
  readonly id: string;
  readonly label: string;
  /** The width of the line; 1.75 by default. */
  readonly width?: number;
  /** Whether the points have no marks, as for lines with many points. */
  readonly bare?: boolean;
  /** Whether the line is computed from a model and not measured; it is then dashed and has no marks. */
  readonly model?: boolean;
  /** The shape of the line between points; straight by default. Steps keep a value until the next point. */
  readonly line?: 'straight' | 'step' | 'none';
  /** Whether the line's name is only in the legend. */
  readonly unnamed?: boolean;
  /** Whether the points' spread is drawn as one surface instead of a bar for each point. */
  readonly band?: boolean;
  /** The points. The line has a gap where a value is NaN. */
  readonly points: readonly ChartPoint[];
  /** A fitted line with its band, over a part of the axis. */
  readonly fit?: {
    readonly x: readonly number[];
    readonly y: readonly number[];
    readonly low: readonly number[];
    readonly high: readonly number[];
  };
}

/** A length worth marking, drawn as a vertical line. */
export interface Marker {
  readonly x: number;
  readonly label: string;
  readonly dashed?: boolean;
  /** Whether the marker has the accent colour. */
  readonly strong?: boolean;
  /** The interval around the marker, drawn as a band. */
  readonly interval?: { readonly low: number; readonly high: number } | undefined;
}

/** A value worth marking, drawn as a horizontal line. */
export interface Level {
  readonly y: number;
  readonly label: string;
  readonly dashed?: boolean;
}

/** Words at a place of the chart: they begin there. */
export interface Note {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** A part of the axis where something holds, drawn as a shaded surface. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Moves labels at the right end apart where they would cover each other. */
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

/** The approximate width of text of this length. */
const labelWidth = (words: string): number => 7 * words.length + 6;

/** The labels of the markers within the axis, and their rows. */
function placedMarkers({ frame, x: domain, markers }: Pick<LineChart, 'frame' | 'x' | 'markers'>) {
  const x = axisPlace(domain, frame.left, frame.width - frame.right);
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

/** The height that the labels above the plot need in the frame's `top`. */
export const labelsHeight = (chart: Pick<LineChart, 'frame' | 'x' | 'markers'>): number =>
  LABEL_ROW * (1 + Math.max(-1, ...placedMarkers(chart).map(({ row }) => row)));

export interface LineChart {
  readonly frame: Frame;
  /** The x axis; logarithmic by default, with ticks at powers of two. */
  readonly x: Domain;
  /** The y axis; logarithmic by default. */
  readonly y: Domain;
  readonly series: readonly Series[];
  readonly markers: readonly Marker[];
  readonly xLabel: string;
  readonly yLabel: string;
  /** Whether names are written at the ends of the lines; otherwise the page has a legend. */
  readonly named: boolean;
  readonly paint: Paint;
  readonly formatX?: (value: number) => string;
  readonly formatY?: (value: number) => string;
  readonly stretches?: readonly Stretch[];
  /** Horizontal lines: a limit that no value exceeds, or a value for comparison. */
  readonly levels?: readonly Level[];
  readonly notes?: readonly Note[];
  /** The highlighted point: its series and its index there. */
  readonly at?: { readonly series: string; readonly point: number } | undefined;
}

/** A band that would cover the whole chart is not drawn. */
const WIDE_BAND = 5;

const DASH = '7 4';

/** The approximate width of a digit, and the distance between numbers. */
const TICK_LETTER = 6.8;
const TICK_GAP = 10;

const xAxis = (x: Domain): Domain => ({ count: 'binary', ...x });

const yTicks = ({ y }: Pick<LineChart, 'y'>, height: number): number[] =>
  axisTicks(y, Math.max(3, height / 34));

/** The width that the numbers beside the plot need in the frame's `left`. */
export function ticksWidth(
  chart: Pick<LineChart, 'frame' | 'y' | 'formatY'>,
  least: number,
): number {
  const { frame, formatY = (value) => tickWords(chart.y, value) } = chart;
  const words = yTicks(chart, frame.height - frame.top - frame.bottom).map(formatY);
  return Math.max(least, ...words.map((word) => Math.ceil(6.6 * word.length) + 14));
}

const placesOf = (chart: Pick<LineChart, 'frame' | 'x' | 'y'>) => {
  const { frame } = chart;
  const box: Box = {
    left: frame.left,
    right: frame.width - frame.right,
    top: frame.top,
    bottom: frame.height - frame.bottom,
  };
  return {
    box,
    x: axisPlace(chart.x, box.left, box.right),
    y: axisPlace(chart.y, box.bottom, box.top),
  };
};

const between = (value: number, low: number, high: number): number =>
  Math.max(low, Math.min(high, value));

/** The place of the y axis' name. */
const yLabelPlace = (chart: LineChart): Place => [4, chart.frame.top - 12 - labelsHeight(chart)];

const inside = ([x, y]: Place, { left, right, top, bottom }: Box): boolean =>
  x >= left - 0.5 && x <= right + 0.5 && y >= top - 0.5 && y <= bottom + 0.5;

function axes(chart: LineChart): string {
  const { frame, paint } = chart;
  const { box, x, y } = placesOf(chart);
  const { left, right, top, bottom } = box;
  const domain = xAxis(chart.x);
  const { formatX = (value) => tickWords(domain, value) } = chart;
  const { formatY = (value) => tickWords(chart.y, value) } = chart;
  const parts: string[] = [];
  for (const tick of yTicks(chart, bottom - top)) {
    // Where values have both signs, the reader has to see where the sign changes, so zero has a line of its own.
    const zero = tick === 0 && chart.y.low < 0;
    const [color, kind] = zero ? [paint.muted, 'axis'] : [paint.rule, 'rule'];
    parts.push(line(left, y.at(tick), right, y.at(tick), color, { kind }));
    parts.push(text(left - 8, y.at(tick) + 4, formatY(tick), paint.muted, { anchor: 'end' }));
  }
  // Numbers on a linear axis may be closer together than powers.
  const least = domain.linear || domain.symlog ? 32 : 46;
  const ticksOf = (room: number): number[] => axisTicks(domain, Math.max(2, (right - left) / room));
  const widest = Math.max(0, ...ticksOf(least).map((tick) => formatX(tick).length));
  for (const tick of ticksOf(Math.max(least, TICK_LETTER * widest + TICK_GAP))) {
    if (tick === 0 && domain.low < 0) parts.push(line(x.at(0), top, x.at(0), bottom, paint.rule));
    parts.push(line(x.at(tick), bottom, x.at(tick), bottom + 5, paint.muted, { kind: 'axis' }));
    const words = formatX(tick);
    // The last number must not leave the picture.
    const most = frame.width - (TICK_LETTER * words.length) / 2;
    const at = Math.min(x.at(tick), most);
    parts.push(text(at, bottom + 19, words, paint.muted, { anchor: 'middle' }));
  }
  parts.push(line(left, bottom, right, bottom, paint.muted, { kind: 'axis' }));
  parts.push(
    text((left + right) / 2, bottom + 38, chart.xLabel, paint.muted, { anchor: 'middle' }),
  );
  parts.push(text(...yLabelPlace(chart), chart.yLabel, paint.muted));
  return parts.join('');
}

/** The stretches within the axis: their ends and, where it fits, the place of the label's middle. */
function placedStretches(chart: LineChart) {
  const { box, x } = placesOf(chart);
  const { left, right, bottom } = box;
  return (chart.stretches ?? []).flatMap(({ from, to, label }) => {
    const [start, end] = [between(x.at(from), left, right), between(x.at(to), left, right)];
    if (!(end - start > 0)) return [];
    const place: Place = [(start + end) / 2, bottom - 8];
    return [{ start, end, label, place: labelWidth(label) > end - start ? undefined : place }];
  });
}

function stretches(chart: LineChart): string {
  const { paint } = chart;
  const { top, bottom } = placesOf(chart).box;
  const placed = placedStretches(chart);
  const surfaces = placed.map(
    ({ start, end }) =>
      `<rect class="stretch" x="${round(start)}" y="${round(top)}" width="${round(end - start)}" height="${round(bottom - top)}" fill="${paint.ink}" fill-opacity="0.07"/>`,
  );
  const said = placed.map(({ place, label }) =>
    place ? text(...place, label, paint.muted, { anchor: 'middle' }) : '',
  );
  return [...surfaces, ...said].join('');
}

/** All straight pieces of the drawn lines, spreads, and vertical and horizontal lines. */
function linesOf(chart: LineChart): Segment[] {
  const { box, x, y } = placesOf(chart);
  const high = box.top - labelsHeight(chart);
  const upright = (at: number): Segment => [
    [at, high],
    [at, box.bottom],
  ];
  return [
    ...chart.markers.map((marker) => upright(x.at(marker.x))),
    ...levelsWithin(chart).map(
      ({ at }): Segment => [
        [box.left, at],
        [box.right, at],
      ],
    ),
    ...chart.series.flatMap((one) => {
      const places = one.points.map((point): Place => [x.at(point.x), y.at(point.y)]);
      const spreads = one.points.flatMap(({ low, high }, i): Segment[] => {
        const at = places[i]?.[0] ?? 0;
        return one.band || low === high
          ? []
          : [
              [
                [at, y.at(low)],
                [at, y.at(high)],
              ],
            ];
      });
      if (one.line === 'none') return spreads;
      const way = one.line === 'step' ? steps(places) : places;
      return [...spreads, ...way.slice(1).map((to, i): Segment => [way[i] as Place, to])];
    }),
  ];
}

/** Words whose places do not depend on what else is drawn. */
function fixedWords(chart: LineChart): Box[] {
  const box = (x: number, y: number, words: string): Box => wordsBox(x, y, textWidth(words));
  return [
    box(...yLabelPlace(chart), chart.yLabel),
    ...placedMarkers(chart).map(({ marker, at, row, left }) => {
      const level = markerLevel(chart, row);
      return wordsBox(
        at + (left ? -6 : 6),
        level,
        labelWidth(marker.label),
        left ? 'end' : 'start',
      );
    }),
    ...placedStretches(chart).flatMap(({ place, label }) =>
      place ? [wordsBox(...place, textWidth(label), 'middle')] : [],
    ),
    ...placedNotes(chart).map(({ place, text: words }) => box(...place, words)),
  ];
}

/** The horizontal lines within the frame. */
function levelsWithin(chart: LineChart) {
  const { box, y } = placesOf(chart);
  return (chart.levels ?? [])
    .map((level) => ({ ...level, at: y.at(level.y) }))
    .filter(({ at }) => at >= box.top - 0.5 && at <= box.bottom + 0.5);
}

function levelLines(chart: LineChart): string {
  const { left, right } = placesOf(chart).box;
  return levelsWithin(chart)
    .map(({ at, dashed }) =>
      line(left, at, right, at, chart.paint.ink, {
        ...{ width: 1.5, dash: dashed ? '5 4' : '', kind: 'marker limit' },
      }),
    )
    .join('');
}

/** The points within the frame that have marks. */
function markedPoints(chart: LineChart) {
  const { box, x, y } = placesOf(chart);
  return chart.series
    .filter(({ bare, model }) => !bare && !model)
    .flatMap(({ points, color }) =>
      points.map(({ x: px, y: py, label = '' }) => ({ x: x.at(px), y: y.at(py), label, color })),
    )
    .filter((point) => inside([point.x, point.y], box));
}

/** The labels of the horizontal lines, with their places. */
function placedLevels(chart: LineChart, obstacles: Obstacles) {
  const { box } = placesOf(chart);
  const said = levelsWithin(chart).filter(({ label }) => label);
  const words = spreadLabels(
    said.map(({ at }) => at - 6),
    15,
    box.top - 6,
    box.bottom - 6,
  );
  const levels = said.map(({ at, label }, i) => ({
    ...{ at, above: words[i] ?? at, wide: textWidth(label) },
  }));
  const marks = markedPoints(chart).map((point) => markBox(point.x, point.y));
  return placeLevels(levels, box, obstacles, marks).map((place, i) => ({
    ...{ ...place, label: said[i]?.label ?? '', wide: levels[i]?.wide ?? 0 },
  }));
}

/** The level that the labels in a row above the plot are written on. */
const markerLevel = ({ frame }: Pick<LineChart, 'frame'>, row: number): number =>
  frame.top - 7 - LABEL_ROW * row;

function markers(chart: LineChart): string {
  const { paint, frame } = chart;
  const bottom = frame.height - frame.bottom;
  const lines: string[] = [];
  const said: string[] = [];
  for (const { marker, at, row, left: turned } of placedMarkers(chart)) {
    const { label, dashed, strong } = marker;
    const color = strong ? paint.accent : paint.muted;
    const level = markerLevel(chart, row);
    const { interval } = marker;
    if (interval) {
      const x = axisPlace(chart.x, frame.left, frame.width - frame.right);
      const { low, high } = chart.x;
      const [from, to] = [interval.low, interval.high].map((value) =>
        x.at(Math.max(low, Math.min(high, value))),
      ) as [number, number];
      lines.push(
        `<rect class="interval" x="${round(from)}" y="${round(frame.top)}" width="${round(Math.max(1, to - from))}" height="${round(bottom - frame.top)}" fill="${color}" fill-opacity="0.14"/>`,
      );
    }
    lines.push(
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
  return [...lines, ...said].join('');
}

/** A surface between two lines, clipped at the frame. */
function surface(
  x: readonly number[],
  low: readonly number[],
  high: readonly number[],
  color: string,
  { left, right, top, bottom }: Box,
): string {
  const parts: string[] = [];
  let run: number[] = [];
  const end = (): void => {
    const edge = (of: readonly number[]): Place[] =>
      run.map((i) => [between(x[i] ?? 0, left, right), between(of[i] ?? 0, top, bottom)]);
    if (run.length > 1) {
      const d = polyline([...edge(high), ...edge(low).reverse()]);
      parts.push(`<path class="band" d="${d}Z" fill="${color}" fill-opacity="0.14"/>`);
    }
    run = [];
  };
  x.forEach((place, i) => {
    if ([place, low[i], high[i]].some((v) => v === undefined || Number.isNaN(v))) end();
    else run.push(i);
  });
  end();
  return parts.join('');
}

function fits(chart: LineChart): string {
  const { box, x, y } = placesOf(chart);
  const { top, bottom } = box;
  const logarithmic = !chart.y.linear && chart.y.symlog === undefined;
  return chart.series
    .map(({ fit, color }) => {
      if (!fit || fit.x.length < 2) return '';
      const at = fit.x.map(x.at);
      const wide =
        logarithmic && fit.x.some((_, i) => (fit.high[i] ?? 1) > WIDE_BAND * (fit.low[i] ?? 1));
      const band = wide ? '' : surface(at, fit.low.map(y.at), fit.high.map(y.at), color, box);
      const path = at.map((px, i) => [px, between(y.at(fit.y[i] ?? 1), top, bottom)] as const);
      return `${band}<path class="fit" d="${polyline(path)}" fill="none" stroke="${color}" stroke-width="1" stroke-dasharray="2 3"/>`;
    })
    .join('');
}

/** A sign at the frame's edge for a point that lies beyond it. */
function beyond([x, y]: Place, color: string, { left, right, top, bottom }: Box): string {
  const off = y < top || y > bottom;
  if (Number.isNaN(x) || Number.isNaN(y) || !off || x < left - 0.5 || x > right + 0.5) return '';
  const [edge, way] = y < top ? [top, 1] : [bottom, -1];
  return `<path class="beyond" d="M${round(x - 4)} ${round(edge + 6 * way)}L${round(x)} ${round(edge + way)}L${round(x + 4)} ${round(edge + 6 * way)}" fill="none" stroke="${color}" stroke-width="1.5"/>`;
}

const steps = (places: readonly Place[]): Place[] =>
  places.flatMap((place, i) => {
    const before = places[i - 1];
    return before ? [[place[0], before[1]] as const, place] : [place];
  });

function drawSeries(one: Series, chart: LineChart): string {
  const { box, x, y } = placesOf(chart);
  const places = one.points.map((point) => [x.at(point.x), y.at(point.y)] as const);
  const bare = one.bare || one.model;
  const parts: string[] = [`<g class="series" data-series="${escapeXml(one.id)}">`];
  if (one.band) {
    const edge = (of: 'low' | 'high') => one.points.map((point) => y.at(point[of]));
    const across = places.map(([px]) => px);
    parts.push(surface(across, edge('low'), edge('high'), one.color, box));
  }
  if (one.line !== 'none') {
    const path = clippedLine(one.line === 'step' ? steps(places) : places, box);
    const dash = one.model ? ` stroke-dasharray="${DASH}"` : '';
    parts.push(
      `<path class="line${bare ? ' bare' : ''}" d="${path}" fill="none" stroke="${one.color}" stroke-width="${one.width ?? 1.75}"${dash}/>`,
    );
  }
  one.points.forEach((point, i) => {
    const place = places[i] as Place;
    if (!one.band) {
      const ends = [point.low, point.high].map((end) => between(y.at(end), box.top, box.bottom));
      const [low = 0, high = 0] = ends;
      if (low - high > 1.5 && place[0] >= box.left && place[0] <= box.right) {
        parts.push(line(place[0], low, place[0], high, one.color, { width: 1.5, kind: 'spread' }));
      }
    }
    if (bare) return;
    if (inside(place, box)) parts.push(paintedMark(one, place[0], place[1], chart.paint.paper));
    else parts.push(beyond(place, one.color, box));
  });
  parts.push('</g>');
  return parts.join('');
}

/** The labels of points leave the frame this far, where no numbers and names are. */
const LABEL_MARGIN = { left: 5, top: 10 };

/** The labels of horizontal lines and of points, where they cover least. */
function labels(chart: LineChart): string {
  const { paint } = chart;
  const { box } = placesOf(chart);
  const points = markedPoints(chart);
  const named = points.some(({ label }) => label);
  if (!chart.levels?.length && !named) return '';
  const lines = linesOf(chart);
  const fixed = fixedWords(chart);
  const levels = placedLevels(chart, { words: fixed, lines });
  const said = levels.map(({ x, y, anchor, label }) =>
    text(x, y, label, paint.ink, { kind: 'ink', halo: paint.paper, anchor }),
  );
  if (!named) return said.join('');
  const { left, top } = LABEL_MARGIN;
  const room = { ...box, left: box.left - left, top: box.top - top, right: chart.frame.width };
  const words = [...fixed, ...levels.map((one) => wordsBox(one.x, one.y, one.wide, one.anchor))];
  const placed = placeLabels(
    points.map(({ x, y, label }) => ({ x, y, wide: label ? textWidth(label) : 0 })),
    room,
    { words, lines },
  );
  placed.forEach(({ x, y, anchor, hidden }, i) => {
    const { label, color } = points[i] as (typeof points)[number];
    if (!hidden) said.push(text(x, y, label, color, { anchor, kind: 'name', halo: paint.paper }));
  });
  return said.join('');
}

const isNamed = ({ line, unnamed }: Series): boolean => line !== 'none' && !unnamed;

/** The width that the names of the lines need in the frame's `right`. */
export const namesWidth = (series: readonly Series[]): number =>
  Math.ceil(21 + 6.6 * Math.max(0, ...series.filter(isNamed).map(({ label }) => label.length)));

/** The names of the lines, written at their right ends. */
function names(chart: LineChart): string {
  const { box, x, y } = placesOf(chart);
  const { right, top, bottom } = box;
  const ends = chart.series.flatMap((one) => {
    if (!isNamed(one)) return [];
    const last = one.points.findLast((point) => Number.isFinite(x.at(point.x)));
    const place = last && ([x.at(last.x), y.at(last.y)] as const);
    // A line that has left the frame has no visible end for its name, so only the legend names it.
    return place && inside(place, box) ? [{ one, x: place[0], y: place[1] }] : [];
  });
  const moved = spreadLabels(
    ends.map((end) => end.y),
    16,
    top,
    bottom,
  );
  return ends
    .map(({ one, x: px, y: py }, i) => {
      const at = moved[i] ?? py;
      const level = Math.abs(at - py) > 3 ? at : py;
      const leader = line(px + 7, py, right + 8, level, one.color, { width: 0.75, kind: 'leader' });
      return leader + text(right + 12, at + 4, one.label, one.color, { kind: 'name' });
    })
    .join('');
}

/** Notes that would leave the picture are moved into it; one without a place is left out. */
function placedNotes(chart: LineChart) {
  const { box, x, y } = placesOf(chart);
  return (chart.notes ?? []).flatMap((note) => {
    const [at, level] = [x.at(note.x), y.at(note.y)];
    if (Number.isNaN(at + level)) return [];
    const last = chart.frame.width - labelWidth(note.text);
    const from = between(at, box.left, Math.max(box.left, last));
    const place: Place = [from, between(level, box.top + 10, box.bottom - 4)];
    return [{ place, text: note.text }];
  });
}

const notes = (chart: LineChart): string =>
  placedNotes(chart)
    .map(({ place, text: words }) =>
      text(...place, words, chart.paint.ink, { kind: 'ink note', halo: chart.paint.paper }),
    )
    .join('');

/** The content of the <svg> element. */
export function drawLines(chart: LineChart): string {
  const parts = [stretches(chart), axes(chart), levelLines(chart), markers(chart), fits(chart)];
  for (const one of chart.series) parts.push(drawSeries(one, chart));
  parts.push(labels(chart), notes(chart));
  if (chart.named) parts.push(names(chart));
  const held = chart.series.find(({ id }) => id === chart.at?.series);
  const point = held?.points[chart.at?.point ?? -1];
  if (point) {
    const { box, x, y } = placesOf(chart);
    const place = [x.at(point.x), y.at(point.y)] as const;
    if (inside(place, box)) {
      parts.push(
        `<circle class="held" cx="${round(place[0])}" cy="${round(place[1])}" r="9" fill="none" stroke="${chart.paint.accent}" stroke-width="2"/>`,
      );
    }
  }
  return parts.join('');
}

/** The sign of a line in a legend, drawn around a centre: its mark, or the line itself where it has no mark. */
export function legendSign(
  one: Look & Pick<Series, 'bare' | 'model' | 'width'>,
  x: number,
  y: number,
  paper: string,
  r = 4,
): string {
  if (!one.bare && !one.model) return paintedMark(one, x, y, paper, r);
  const dash = one.model ? '5 3' : '';
  return line(x - 9, y, x + 9, y, one.color, {
    ...{ width: one.width ?? 2, dash },
    kind: 'line bare',
  });
}

/** A whole SVG file: the chart with its title and caption. */
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
  readonly legend?: readonly (Look & Pick<Series, 'label' | 'bare' | 'model'>)[];
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
    parts.push(legendSign(one, x + 6, y + 4, paint.paper));
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
