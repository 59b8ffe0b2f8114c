/**
 * A step as scenes: in each, text stands beside one view. A scene ends where the text comes to another picture, and
 * where exercises begin, because an opened exercise needs the whole width.
 */
import type { Block, FigurePlace, FigureRef, Prediction } from '../types';

/** What stands beside the text of a scene: a figure in its own place, or a view of one that has its place elsewhere. */
export interface SceneFigure {
  /** The id of the figure. */
  readonly of: string;
  readonly show?: string | undefined;
  readonly knobs?: readonly string[] | undefined;
}

export interface Scene {
  /** What stands beside the text; undefined where there is none. */
  readonly figure: SceneFigure | undefined;
  /** The place of the figure, where the scene is that place. */
  readonly place: FigurePlace | undefined;
  readonly blocks: readonly Block[];
}

/** The figure that a prediction shows once it is answered. */
export const revealedBy = ({ reveal = [] }: Prediction) =>
  reveal.find((block) => block.kind === 'figure')?.figure;

const asFigure = (ref: FigureRef | undefined): SceneFigure | undefined =>
  typeof ref === 'string' ? { of: ref } : ref;

/** The figure that a block shows, changes or leads to. */
export function figureOf(block: Block): SceneFigure | undefined {
  switch (block.kind) {
    case 'figure':
      return { of: block.figure.id, show: block.figure.show };
    case 'tries':
    case 'prose':
      return asFigure(block.figure);
    case 'prediction': {
      const place = revealedBy(block);
      if (place) return { of: place.id };
      return (
        asFigure(block.figure) ?? block.reveal?.map(figureOf).find((figure) => figure !== undefined)
      );
    }
    default:
      return undefined;
  }
}

/** The figure whose place a block is. */
const placeOf = (block: Block): FigurePlace | undefined => {
  if (block.kind === 'figure') return block.figure;
  return block.kind === 'prediction' ? revealedBy(block) : undefined;
};

const same = (a: SceneFigure, b: SceneFigure): boolean =>
  a.of === b.of && (a.show === undefined || b.show === undefined || a.show === b.show);

/** A text that names a part of a figure has a view of its own, also right before or after the place of that figure. */
const otherPart = (open: SceneFigure, blocks: readonly Block[], next: Block): boolean => {
  const { of, show } = figureOf(next) ?? {};
  const place = placeOf(next);
  if (place) return open.of === place.id && open.show !== undefined && open.show !== place.show;
  return show !== undefined && blocks.some((block) => placeOf(block)?.id === of);
};

/** The knobs that the text of a scene speaks of: those that its tries change. */
function knobsOf(of: string, blocks: readonly Block[]): readonly string[] | undefined {
  const names = blocks
    .flatMap((block) => (block.kind === 'prediction' ? [block, ...(block.reveal ?? [])] : [block]))
    .flatMap((block) =>
      block.kind === 'tries' && asFigure(block.figure)?.of === of
        ? block.tries.flatMap(({ values }) => Object.keys(values))
        : [],
    );
  return names.length > 0 ? [...new Set(names)].slice(0, MOST_KNOBS) : undefined;
}

/** A view beside a paragraph has at most so many knobs; the others are in its sheet. */
const MOST_KNOBS = 2;

export function scenesOf(blocks: readonly Block[]): readonly Scene[] {
  interface Open {
    figure: SceneFigure | undefined;
    readonly blocks: Block[];
  }
  const scenes: Open[] = [];
  let open: Open | undefined;
  const begin = (figure: SceneFigure | undefined, ...introduction: readonly Block[]): Open => {
    const scene = { figure, blocks: [...introduction] };
    scenes.push(scene);
    return scene;
  };
  for (const block of blocks) {
    if (block.kind === 'exercises') {
      begin(undefined, block);
      open = undefined;
      continue;
    }
    const figure = figureOf(block);
    // A question stands before its picture, so what was said of that picture before has a view of its own.
    const asks = block.kind === 'prediction' && open?.figure !== undefined;
    if (
      figure !== undefined &&
      open?.figure !== undefined &&
      (asks || !same(open.figure, figure) || otherPart(open.figure, open.blocks, block))
    ) {
      // The paragraphs just before a figure introduce it.
      const introduction: Block[] = [];
      while (open.blocks.at(-1)?.kind === 'prose' && open.blocks.length > 1) {
        const last = open.blocks.at(-1) as Block;
        if (figureOf(last) !== undefined) break;
        introduction.unshift(open.blocks.pop() as Block);
      }
      open = begin(figure, ...introduction);
    }
    open ??= begin(figure);
    open.figure = figure && open.figure ? { ...figure, ...open.figure } : (open.figure ?? figure);
    open.blocks.push(block);
  }
  return scenes.map(({ figure, blocks: inScene }) => {
    const place = inScene.map(placeOf).find((one) => one !== undefined);
    if (figure === undefined || place?.id === figure.of) return { figure, place, blocks: inScene };
    const knobs = figure.knobs ?? knobsOf(figure.of, inScene);
    return { figure: { ...figure, knobs }, place: undefined, blocks: inScene };
  });
}
