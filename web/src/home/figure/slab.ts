/**
 * Where the figure of the home page draws what attention keeps: n×n weights beside the D×d_v numbers of the state of
 * linear attention, all at one scale, however long the text. Pure: sizes in, places out.
 */

/** Pixels of one number. It depends on the window alone, so that nothing shrinks when the text grows. */
export const cellOf = (width: number): number => (width >= 1000 ? 8 : width >= 600 ? 6 : 4.5);

export interface SceneSizes {
  /** The frame, which reaches to the right edge of the page. */
  readonly width: number;
  readonly height: number;
  /** Where the page's column begins. */
  readonly left: number;
  readonly n: number;
  /** The words that were typed, whose weights are known: n of them at most. */
  readonly words: number;
  readonly D: number;
  readonly dV: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Scene {
  readonly cell: number;
  /** The state, whole. */
  readonly state: Box;
  /** The slab as long as it is, and the part of it that lies in the frame. */
  readonly slab: Box;
  readonly seen: Box;
  /** The weights of the typed words, in the slab's corner. */
  readonly corner: Box;
  /** Whether the slab goes on beyond the frame. */
  readonly leavesRight: boolean;
  readonly leavesBelow: boolean;
}

/** The room above the boxes, for what they are called: more lines of it where they are narrow. */
export const headOf = (width: number): number => (width >= 600 ? 46 : 64);
/** Between the state and the slab. */
const GAP = 44;

export function sceneOf(sizes: SceneSizes): Scene {
  const { width, height, left, n, words, D, dV } = sizes;
  const cell = cellOf(width);
  const head = headOf(width);
  const state = { x: left, y: head, width: dV * cell, height: D * cell };
  const x = left + state.width + GAP;
  const side = n * cell;
  const slab = { x, y: head, width: side, height: side };
  const [right, below] = [Math.min(width, x + side), Math.min(height, head + side)];
  const known = Math.min(words, n) * cell;
  return {
    ...{ cell, state, slab },
    seen: { x, y: head, width: Math.max(0, right - x), height: Math.max(0, below - head) },
    corner: { x, y: head, width: known, height: known },
    leavesRight: x + side > width,
    leavesBelow: head + side > height,
  };
}

/** A pixel of CSS is the 96th part of an inch. */
const METRES_PER_PIXEL = 0.0254 / 96;

/** How long a number of pixels is on a page printed at its own size. */
export const metresOf = (pixels: number): number => pixels * METRES_PER_PIXEL;

export interface Overview {
  /** The side of the whole slab in the small picture. */
  readonly side: number;
  /** The part of the slab that the frame shows, to the same scale, but never too small to be seen. */
  readonly seen: Box;
  /** The state, likewise. */
  readonly state: Box;
}

/** The smallest mark that can be seen. */
const DOT = 2;

/** The whole slab, drawn small: how little of it the page shows. */
export function overviewOf({ slab, seen, state }: Scene, side: number): Overview {
  const scale = side / slab.width;
  const small = (box: Box, x: number): Box => ({
    ...{ x, y: 0 },
    width: Math.max(DOT, box.width * scale),
    height: Math.max(DOT, box.height * scale),
  });
  return {
    side,
    seen: small(seen, 0),
    state: small(state, -(Math.max(DOT, state.width * scale) + 6)),
  };
}
