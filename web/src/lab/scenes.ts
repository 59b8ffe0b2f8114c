/**
 * A step as scenes: in each, text stands beside one figure. A scene ends where the text comes to another figure, and
 * where exercises begin, because an opened exercise needs the whole width.
 */
import type { Block, Prediction } from './types';

export interface Scene {
  /** The id of the figure that stands beside the text; undefined where there is none. */
  readonly figure: string | undefined;
  readonly blocks: readonly Block[];
}

/** The figure that a prediction shows once it is answered. */
export const revealedBy = ({ reveal = [] }: Prediction) =>
  reveal.find((block) => block.kind === 'figure')?.figure;

/** The figure that a block shows, changes or leads to. */
function figureOf(block: Block): string | undefined {
  switch (block.kind) {
    case 'figure':
      return block.figure.id;
    case 'tries':
    case 'prose':
      return block.figure;
    case 'prediction':
      return (
        revealedBy(block)?.id ?? block.reveal?.map(figureOf).find((figure) => figure !== undefined)
      );
    default:
      return undefined;
  }
}

export function scenesOf(blocks: readonly Block[]): readonly Scene[] {
  interface Open {
    figure: string | undefined;
    readonly blocks: Block[];
  }
  const scenes: Open[] = [];
  let open: Open | undefined;
  const begin = (figure: string | undefined, ...introduction: readonly Block[]): Open => {
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
    if (figure !== undefined && open?.figure !== undefined && open.figure !== figure) {
      // The paragraphs just before a figure introduce it.
      const introduction: Block[] = [];
      while (open.blocks.at(-1)?.kind === 'prose' && open.blocks.length > 1) {
        introduction.unshift(open.blocks.pop() as Block);
      }
      open = begin(figure, ...introduction);
    }
    open ??= begin(figure);
    open.figure ??= figure;
    open.blocks.push(block);
  }
  return scenes;
}
