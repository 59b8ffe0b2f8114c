/** Small pictures of labs: `figures/thumbnail.ts` in a lab's folder exports one as `thumbnail`. It may be missing. */
import type { Client } from '#client';

export interface ThumbnailAsk {
  readonly client: Client;
  /** The sentence that the visitor typed. */
  readonly text: string;
  readonly dark: boolean;
  readonly signal: AbortSignal;
}

/** The size of every picture, in the units of its SVG. */
export const THUMBNAIL = { width: 240, height: 132 } as const;

/** Asks the core once, and returns how the picture looks at `time`, from 0 to 1: the content of an SVG element. */
export type Thumbnail = (ask: ThumbnailAsk) => Promise<(time: number) => string>;
