/** The labs as links address them: the steps that can be hidden, and the knobs of every figure. */
import '../no-browser';
import { table as featureMapsTable } from '../../../web/labs/feature-maps/link-state';
import type { Block, Lab } from '../../../web/src/lab/types';
import type { PropertyTable } from '../../../web/src/state/url';

export interface LabPage {
  readonly id: string;
  readonly steps: readonly string[];
  readonly opening: Lab['opening'];
  /** The figures. The opening has an empty id, and its keys have no prefix. */
  readonly figures: readonly {
    readonly id: string;
    readonly table: PropertyTable;
    /** The names of the pictures that a view may show. */
    readonly pictures: readonly string[];
    /** Numbers in the prose may move its knobs. */
    readonly movable: boolean;
    readonly values: Readonly<Record<string, string | number | boolean>>;
  }[];
}

const labs = import.meta.glob<{ lab: Lab }>('../../../web/labs/*/lab.ts', { eager: true });
const modules = import.meta.glob('../../../web/labs/*/{opening,figures/*/*}.ts');
// Vite reads these options without running them, so they are written out and not spread.
const sources = import.meta.glob<string>('../../../web/labs/*/{opening,figures/*/*}.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
});

function* figuresIn(blocks: readonly Block[]): Generator<Block & { readonly kind: 'figure' }> {
  for (const block of blocks) {
    if (block.kind === 'figure') yield block;
    if (block.kind === 'prediction') yield* figuresIn(block.reveal ?? []);
  }
}

function tableOf(tag: string): PropertyTable {
  const Figure = customElements.get(tag);
  if (!Figure) throw new Error(`${tag} is not defined`);
  const { table } = new Figure() as unknown as { readonly table?: PropertyTable };
  if (!table || Object.keys(table).length === 0) throw new Error(`${tag} has no table`);
  return table;
}

const picturesOf = (tag: string): readonly string[] => {
  const Figure = customElements.get(tag);
  const figure = Figure && (new Figure() as unknown as { pictures?: () => object });
  return Object.keys(figure?.pictures?.() ?? {});
};

const isMovable = (tag: string): boolean =>
  'numberKnob' in (customElements.get(tag)?.prototype ?? {});

// A page imports its first figure itself, so it is found here by the tag that it defines.
for (const { lab } of Object.values(labs)) {
  const defines = `@customElement('${lab.opening.tag}')`;
  const found = Object.keys(sources).find((file) => sources[file]?.includes(defines));
  if (found) await modules[found]?.();
}

export const LAB_PAGES: readonly LabPage[] = await Promise.all(
  Object.values(labs).map(async ({ lab }): Promise<LabPage> => {
    const placed = lab.steps.flatMap(({ blocks }) => [...figuresIn(blocks)]);
    const figures = [];
    for (const { figure } of placed) {
      await figure.load?.();
      const { id, tag, values = {} } = figure;
      figures.push({
        ...{ id, table: tableOf(tag), values },
        ...{ pictures: picturesOf(tag), movable: isMovable(tag) },
      });
    }
    // The first figure of this lab has an element of its own kind, whose knobs are in a module of their own.
    const own = lab.id === 'feature-maps' ? featureMapsTable : tableOf(lab.opening.tag);
    const { opening } = lab;
    const first = {
      ...{ id: '', table: own, values: opening.values ?? {} },
      ...{ pictures: picturesOf(opening.tag), movable: isMovable(opening.tag) },
    };
    return {
      ...{ id: lab.id, opening, steps: lab.steps.map(({ id }) => id) },
      figures: [first, ...figures],
    };
  }),
);
