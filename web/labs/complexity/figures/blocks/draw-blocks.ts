/**
 * Both orders of multiplying as four boxes, in isometric projection: every axis has the same scale
 * and every face the same foreshortening, so edges, areas and volumes compare as drawn. A product of
 * an a×b and a b×c matrix is a box of a·b·c cubes, one for each multiply-add; its faces are the
 * three matrices. Pure: sizes in, SVG text out.
 */
import type { Paint } from '../../../../src/plot/chart-colors.ts';
import { text, withSubscripts } from '../../../../src/plot/svg.ts';

export type SizeName = 'n' | 'd' | 'dV';
export type Sizes = Readonly<Record<SizeName, number>>;

/** The role of a face: an input, the intermediate product, or the result. */
type Role = 'given' | 'between' | 'output';

interface Product {
  readonly id: string;
  readonly order: 'standard' | 'linear';
  /** Height, depth (to the left) and width (to the right) of the box. */
  readonly edges: readonly [SizeName, SizeName, SizeName];
  /** Left, upper and right face. */
  readonly faces: readonly [Face, Face, Face];
}
interface Face {
  readonly name: string;
  readonly role: Role;
}

const given = (name: string): Face => ({ name, role: 'given' });
const between = (name: string): Face => ({ name, role: 'between' });
const output = (name: string): Face => ({ name, role: 'output' });

export const products: readonly Product[] = [
  {
    id: 'scores',
    order: 'standard',
    edges: ['n', 'd', 'n'],
    faces: [given('Q'), given('Kᵀ'), between('QKᵀ')],
  },
  {
    id: 'mix',
    order: 'standard',
    edges: ['n', 'n', 'dV'],
    faces: [between('QKᵀ'), given('V'), output('(QKᵀ)V')],
  },
  {
    id: 'state',
    order: 'linear',
    edges: ['d', 'n', 'dV'],
    faces: [given('Kᵀ'), given('V'), between('KᵀV')],
  },
  {
    id: 'read',
    order: 'linear',
    edges: ['n', 'd', 'dV'],
    faces: [given('Q'), between('KᵀV'), output('Q(KᵀV)')],
  },
];

const COS = Math.sqrt(3) / 2;
const SIN = 0.5;

export interface BlocksModel {
  readonly sizes: Sizes;
  /**
   * The sizes that the reader began with. Their boxes decide the scale as long as the others are smaller; larger ones
   * are drawn as far away as they need, with the first boxes as outlines at the same scale.
   */
  readonly first: Sizes;
  readonly width: number;
  /** How high the picture may be where one order stands below the other; `SEEN` where it is left out. */
  readonly high?: number | undefined;
  readonly paint: Paint;
  readonly colors: Readonly<Record<Role, string>>;
  /** The text under each box, by product; its numbers come from the core. */
  readonly below: Readonly<Record<string, readonly string[]>>;
  /** The text above the boxes of an order. */
  readonly headings: Readonly<Record<'standard' | 'linear', string>>;
}

/** A place where an edge can be dragged, and the direction that makes it longer. */
export interface Grip {
  readonly product: string;
  readonly size: SizeName;
  readonly way: 'up' | 'left' | 'right';
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

export interface Drawn {
  readonly inside: string;
  readonly width: number;
  readonly height: number;
  /** Pixels of a unit edge. */
  readonly scale: number;
  readonly grips: readonly Grip[];
}

const SYMBOL: Readonly<Record<SizeName, string>> = { n: 'n', d: 'd', dV: 'd_v' };
const GAP = 20;
const WORDS = 176;
/** What a row takes above and below its boxes. */
interface Room {
  readonly heading: number;
  readonly above: number;
  readonly below: number;
  /** The lines of words that `below` has room for: where the first stands, and how far they are apart. */
  readonly lines: number;
  readonly words: number;
  readonly line: number;
}
const WIDE: Room = { heading: 34, above: 14, below: 80, lines: 3, words: 36, line: 17 };
const TIGHT: Room = { heading: 20, above: 24, below: 52, lines: 2, words: 31, line: 14 };
/** How much of a picture is seen in the upper half of a phone's window. Both orders fit in there. */
export const SEEN = 335;
/** Room for the letters at the edges, and for names beside a box. */
const SIDE = 30;
const NARROW = 560;
/** Cells are drawn only if they are large enough to be told apart. */
const CELL = 5;
/** Shorter edges have no letter: the names of the faces say how long they are. */
const LETTERED = 40;

const round = (value: number): string => String(Math.round(value * 100) / 100);

type Lengths = readonly [up: number, deep: number, right: number];
const lengthsOf = (sizes: Sizes, { edges }: Product): Lengths =>
  edges.map((edge) => sizes[edge]) as unknown as Lengths;

interface Extent {
  readonly wide: number;
  readonly high: number;
}
/** How wide and high two boxes with one front corner are together. */
const extentOf = (all: readonly Lengths[]): Extent => {
  const [deep, right] = [1, 2].map((k) => Math.max(...all.map((one) => one[k] as number))) as [
    number,
    number,
  ];
  return {
    wide: (deep + right) * COS,
    high: Math.max(...all.map(([a, b, c]) => a + (b + c) * SIN)),
  };
};

/** The width a box takes in its row: at least the width of the words below it. */
const slotOf = ({ wide }: Extent, scale: number, width: number, many: number): number =>
  Math.max(wide * scale + 2 * SIDE + GAP, Math.min(WORDS, width / many));

/** The layout in rows: all four boxes in one row, or one order below the other. */
function rowsFor(width: number): readonly (readonly Product[])[] {
  return width >= NARROW ? [products] : [products.slice(0, 2), products.slice(2)];
}

/** The scale at which everything fits, and how high that is. */
function scaleFor(sizes: Sizes, width: number, rows: readonly (readonly Product[])[]): number {
  let scale = 40;
  for (const row of rows) {
    const extents = row.map((product) => extentOf([lengthsOf(sizes, product)]));
    scale = Math.min(scale, 330 / Math.max(...extents.map(({ high }) => high)));
    const wide = (at: number): number =>
      extents.reduce((sum, one) => sum + slotOf(one, at, width, row.length), 0);
    for (let i = 0; i < 60 && wide(scale) > width; i++) scale *= Math.max(0.5, width / wide(scale));
  }
  return scale;
}

type Point = readonly [number, number];
const path = (points: readonly Point[]): string =>
  `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}Z`;

/** For each size, the edge that the keyboard moves as well. */
const mainEdges: readonly string[] = ['scores-up', 'scores-left', 'read-right'];
export const isMain = ({ product, way }: Grip): boolean => mainEdges.includes(`${product}-${way}`);

const REACH = 22;
/** How far the name of a face is moved to make room for a grip. */
const ASIDE = 24;
/** The sizes of a name and of what it measures, and about how wide their letters are. */
const NAME = { size: 14, wide: 8.2 };
const MEASURE = { size: 11.5, wide: 6.6 };

/** Where two grips would overlap only one is kept, the main one first. */
function apart(grips: readonly Grip[]): Grip[] {
  const order = [...grips.filter(isMain), ...grips.filter((grip) => !isMain(grip))];
  const kept: Grip[] = [];
  for (const grip of order) {
    const near = kept.some(({ x, y }) => Math.hypot(x - grip.x, y - grip.y) < REACH);
    if (isMain(grip) || !near) kept.push(grip);
  }
  return kept;
}

export function drawBlocks(model: BlocksModel): Drawn {
  const { sizes, first, width, paint, colors } = model;
  const rows = rowsFor(width);
  const room = rows.length === 1 ? WIDE : TIGHT;
  const heights = rows.map((row) =>
    Math.max(...row.map((one) => extentOf([lengthsOf(sizes, one), lengthsOf(first, one)]).high)),
  );
  const lines = Math.max(...Object.values(model.below).map(({ length }) => length), room.lines);
  const below = room.below + room.line * (lines - room.lines);
  const aside = rows.length * (room.heading + room.above + below);
  const scale = Math.min(
    scaleFor(sizes, width, rows),
    scaleFor(first, width, rows),
    rows.length === 1
      ? Infinity
      : ((model.high ?? SEEN) - aside) / heights.reduce((sum, one) => sum + one, 0),
  );
  const same = (['n', 'd', 'dV'] as const).every((name) => sizes[name] === first[name]);
  const parts: string[] = [];
  const grips: Grip[] = [];
  let top = 0;
  for (const row of rows) {
    const extents = row.map((product) =>
      extentOf([lengthsOf(sizes, product), lengthsOf(first, product)]),
    );
    const high = Math.max(...extents.map((one) => one.high)) * scale;
    const slots = extents.map((one) => slotOf(one, scale, width, row.length));
    // The remaining width is divided among the boxes.
    const spare = (width - slots.reduce((sum, one) => sum + one, 0)) / row.length;
    let left = 0;
    row.forEach((product, i) => {
      const slot = (slots[i] ?? 0) + spare;
      const base = top + room.heading + room.above + high;
      if (product.order !== row[i - 1]?.order) {
        parts.push(
          text(
            left + 2,
            top + (room === WIDE ? 18 : 14),
            model.headings[product.order],
            paint.ink,
            {
              size: 14,
              weight: '600',
              kind: 'ink',
            },
          ),
        );
      }
      drawBox(product, left + slot / 2, base);
      (model.below[product.id] ?? []).forEach((line, k) => {
        parts.push(
          text(
            left + slot / 2,
            base + room.words + room.line * k,
            line,
            k === 0 ? paint.ink : paint.muted,
            {
              anchor: 'middle',
              size: k === 0 ? 13 : 12,
              weight: k === 0 ? '600' : '',
              kind: k === 0 ? 'ink' : 'muted',
            },
          ),
        );
      });
      left += slot;
    });
    top += room.heading + room.above + high + below;
  }
  return { inside: parts.join(''), width, height: Math.ceil(top), scale, grips: apart(grips) };

  function drawBox(product: Product, middle: number, base: number): void {
    const [a, b, c] = lengthsOf(sizes, product).map((edge) => edge * scale) as [
      number,
      number,
      number,
    ];
    const [a1, b1, c1] = lengthsOf(first, product).map((edge) => edge * scale) as [
      number,
      number,
      number,
    ];
    // The lowest corner, in front, which the first box shares: both together are centred on `middle`.
    const x0 = middle + ((Math.max(b, b1) - Math.max(c, c1)) * COS) / 2;
    const at = (up: number, deep: number, wide: number): Point => [
      x0 - deep * COS + wide * COS,
      base - up - (deep + wide) * SIN,
    ];
    const faces: readonly (readonly [readonly Point[], Face])[] = [
      [[at(0, 0, 0), at(0, b, 0), at(a, b, 0), at(a, 0, 0)], product.faces[0]],
      [[at(a, 0, 0), at(a, b, 0), at(a, b, c), at(a, 0, c)], product.faces[1]],
      [[at(0, 0, 0), at(0, 0, c), at(a, 0, c), at(a, 0, 0)], product.faces[2]],
    ];
    const shade = [0.3, 0.18, 0.42];
    faces.forEach(([points, face], i) => {
      const color = colors[face.role];
      parts.push(
        `<path class="face ${face.role}" d="${path(points)}" fill="${color}" fill-opacity="${shade[i]}" stroke="${color}" stroke-width="1" stroke-linejoin="round"/>`,
      );
    });
    drawCells(product, at);
    if (!same) drawOutline([a1, b1, c1], at);
    const [up, deep, right] = product.edges;
    const mine: Grip[] = [];
    const grip = (
      size: SizeName,
      way: Grip['way'],
      [x, y]: Point,
      dx: number,
      dy: number,
    ): void => {
      mine.push({ product: product.id, size, way, x, y, dx, dy });
    };
    grip(up, 'up', at(a, 0, c / 2), 0, -1);
    grip(deep, 'left', at(a / 2, b, 0), -COS, -SIN);
    grip(right, 'right', at(a / 2, 0, c), COS, -SIN);
    grips.push(...mine);
    /** Edges beside which a name stands: the left one, the lower left and the lower right. */
    const taken = new Set<string>();
    faces.forEach(([, face], i) => {
      const [one, two] = (
        [
          [up, deep],
          [deep, right],
          [up, right],
        ] as const
      )[i] as readonly [SizeName, SizeName];
      // A face has as many rows as its first edge is long: Q is n×d.
      drawName(i as 0 | 1 | 2, face.name, `${SYMBOL[one]}×${SYMBOL[two]}`);
    });
    // Each letter outside the box, at the middle of the edge it names.
    const edge = (name: SizeName, from: Point, to: Point, out: Point, anchor: string): void => {
      if (Math.hypot(to[0] - from[0], to[1] - from[1]) < LETTERED) return;
      parts.push(
        text(
          (from[0] + to[0]) / 2 + out[0],
          (from[1] + to[1]) / 2 + out[1],
          SYMBOL[name],
          paint.muted,
          { anchor, size: 13 },
        ).replace('<text ', '<text font-style="italic" '),
      );
    };
    if (!taken.has('left')) edge(up, at(0, b, 0), at(a, b, 0), [-14, 4], 'end');
    if (!taken.has('lowerLeft')) edge(deep, at(0, 0, 0), at(0, b, 0), [-6, 14], 'end');
    if (!taken.has('lowerRight')) edge(right, at(0, 0, 0), at(0, 0, c), [6, 14], 'start');

    /** Inside its face where it fits, else along the face's longer edge, else at the corner of the face. */
    function drawName(i: 0 | 1 | 2, name: string, size: string): void {
      const letters = size.replace('_', '').length;
      const wide = NAME.wide * name.length + MEASURE.wide * letters + 6;
      const points = faces[i]?.[0] as readonly Point[];
      const middle = [0, 1].map((k) => points.reduce((sum, p) => sum + (p[k] ?? 0), 0) / 4) as [
        number,
        number,
      ];
      // How wide a text of some height may be inside.
      const inside = (high: number): number => {
        if (i === 1) return 2 * Math.min(b, c) * COS - 1.3 * high;
        return Math.min((i === 0 ? b : c) * COS - 4, 1.73 * (a - high));
      };
      const stacked = Math.max(NAME.wide * name.length, MEASURE.wide * letters);
      for (const [lines, needed] of [
        [1, wide],
        [2, stacked],
      ] as const) {
        const high = lines === 1 ? 15 : 29;
        if (inside(high) < needed) continue;
        // On an upright face there is room for its name above or below a grip.
        const room = i === 1 ? 0 : Math.max(0, a / 2 - high);
        const y = [0, ASIDE, -ASIDE]
          .filter((aside) => Math.abs(aside) <= room)
          .map((aside) => middle[1] + aside)
          .find(
            (at) =>
              !mine.some(
                (one) =>
                  Math.abs(one.x - middle[0]) < needed / 2 + 10 &&
                  Math.abs(one.y - at) < high / 2 + 9,
              ),
          );
        if (y === undefined) continue;
        if (lines === 1) write(name, size, middle[0], y + 5, 'middle');
        else {
          write(name, '', middle[0], y - 2, 'middle');
          write('', size, middle[0], y + 12, 'middle');
        }
        return;
      }
      const along = (point: Point, degrees: number): void => {
        const [x, y] = [round(point[0]), round(point[1])];
        parts.push(`<g transform="rotate(${degrees} ${x} ${y})">`);
        write(name, size, point[0], point[1], 'middle');
        parts.push('</g>');
      };
      const out = ([x, y]: Point, dx: number, dy: number): Point => [x + dx, y + dy];
      /** Beside the middle of an upright edge there is a grip. */
      const low = a > 2 * wide + 40 ? 0.25 : 0.5;
      const aside = low === 0.5 ? 12 : 0;
      const fits = (length: number): boolean => length >= wide + 6;
      if (i === 0 && a >= b && fits(a)) {
        taken.add('left');
        along(out(at(a * low, b, 0), -8 - aside, 0), -90);
      } else if (i === 0 && fits(b)) {
        taken.add('lowerLeft');
        along(out(at(0, b / 2, 0), -7, 14), 30);
      } else if (i === 1 && c >= b && fits(c)) {
        // Before the middle of the edge there is a grip.
        const far = c > 2 * wide + 40;
        along(out(at(a, b, c * (far ? 0.72 : 0.5)), -4, far ? -7 : -12), -30);
      } else if (i === 1 && fits(b)) along(out(at(a, b / 2, c), 4, -7), 30);
      else if (i === 2 && a >= c && fits(a)) along(out(at(a * low, 0, c), 17 + aside, 0), -90);
      else if (i === 2 && fits(c)) {
        taken.add('lowerRight');
        along(out(at(0, 0, c / 2), 7, 14), -30);
      } else if (i === 1) write(name, size, at(a, b, c)[0], at(a, b, c)[1] - 10, 'middle');
      else {
        taken.add(i === 0 ? 'lowerLeft' : 'lowerRight');
        // Where the right one of both names would leave the picture, both are moved.
        const right = product.faces[2].name.length * NAME.wide + 4 * MEASURE.wide + 6;
        const x = Math.min(x0, width - right - 5);
        write(name, size, x + (i === 0 ? -5 : 5), base + 15, i === 0 ? 'end' : 'start');
      }
    }
  }

  /** The name of a face and how many rows and columns it has. */
  function write(name: string, size: string, x: number, y: number, anchor: string): void {
    const label = text(x, y, name, paint.ink, {
      ...{ anchor, size: NAME.size, weight: '600', kind: 'ink face-name', halo: paint.paper },
    });
    const after = size
      ? `<tspan font-size="${MEASURE.size}" font-weight="400"${name ? ' dx="5"' : ''}>${withSubscripts(size)}</tspan>`
      : '';
    parts.push(label.replace('</text>', `${after}</text>`));
  }

  /** The first box, at the scale of the others: all edges that one sees. */
  function drawOutline(
    [a, b, c]: readonly [number, number, number],
    at: (up: number, deep: number, wide: number) => Point,
  ): void {
    const outline = [
      path([at(0, 0, 0), at(0, b, 0), at(a, b, 0), at(a, b, c), at(a, 0, c), at(0, 0, c)]),
      [at(a, b, 0), at(a, 0, 0), at(a, 0, c)],
      [at(a, 0, 0), at(0, 0, 0)],
    ]
      .map((line) => (typeof line === 'string' ? line : path(line).slice(0, -1)))
      .join('');
    parts.push(
      `<path class="first-box" d="${outline}" fill="none" stroke="${paint.ink}" stroke-width="1.5" stroke-dasharray="3 2" stroke-linejoin="round"/>`,
    );
  }

  function drawCells(
    product: Product,
    at: (up: number, deep: number, wide: number) => Point,
  ): void {
    if (scale < CELL) return;
    const [a, b, c] = product.edges.map((edge) => sizes[edge]) as [number, number, number];
    const [A, B, C] = [a * scale, b * scale, c * scale];
    const lines: string[] = [];
    const line = (from: Point, to: Point): void => {
      lines.push(`M${round(from[0])} ${round(from[1])}L${round(to[0])} ${round(to[1])}`);
    };
    for (let i = 1; i < a; i++) {
      line(at(i * scale, 0, 0), at(i * scale, B, 0));
      line(at(i * scale, 0, 0), at(i * scale, 0, C));
    }
    for (let i = 1; i < b; i++) {
      line(at(0, i * scale, 0), at(A, i * scale, 0));
      line(at(A, i * scale, 0), at(A, i * scale, C));
    }
    for (let i = 1; i < c; i++) {
      line(at(0, 0, i * scale), at(A, 0, i * scale));
      line(at(A, 0, i * scale), at(A, B, i * scale));
    }
    parts.push(
      `<path class="cells" d="${lines.join('')}" fill="none" stroke="${paint.ink}" stroke-opacity="0.22" stroke-width="0.75"/>`,
    );
  }
}
