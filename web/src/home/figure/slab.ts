/**
 * Where the figure of the home page draws what attention keeps: n×n weights beside the numbers of linear attention, S
 * and z, all at one scale. The slab is always there as a whole: when the text grows, the picture zooms out, until the
 * state is a dot and then less than that. Nothing is drawn larger than it is. Pure: sizes in, places out.
 */

/** Pixels of one number where there is room for all of them. */
export const cellOf = (width: number): number => (width >= 420 ? 7 : 4.5);

export interface SceneSizes {
  readonly width: number;
  readonly height: number;
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
  /** Pixels of one number. */
  readonly cell: number;
  /** S, D×d_v, and z, a column of D beside it. */
  readonly state: Box;
  readonly sums: Box;
  /** The weights, n×n. */
  readonly slab: Box;
  /** The weights of the typed words, in the slab's corner. */
  readonly corner: Box;
}

/** The room above the boxes, for what they are called: more lines of it where they are narrow. */
export const headOf = (width: number): number => (width >= 420 ? 46 : 64);
/** Room for the lines around the boxes. */
const EDGE = 2;
/** Between the state, at its largest, and the slab. */
const GAP = 40;
/** Between S and z, in numbers. */
const BESIDE = 0.6;

export function sceneOf({ width, height, n, words, D, dV }: SceneSizes): Scene {
  const y = headOf(width);
  const most = cellOf(width);
  const x = EDGE + (dV + BESIDE + 1) * most + GAP;
  const room = Math.max(1, Math.min(width - x, height - y) - EDGE);
  const cell = Math.min(most, room / n);
  const state = { x: EDGE, y, width: dV * cell, height: D * cell };
  const side = n * cell;
  const known = Math.min(words, n) * cell;
  return {
    ...{ cell, state },
    sums: { x: EDGE + (dV + BESIDE) * cell, y, width: cell, height: D * cell },
    slab: { x, y, width: side, height: side },
    corner: { x, y, width: known, height: known },
  };
}
