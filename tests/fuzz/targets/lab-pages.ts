/** The labs as links address them: the steps that can be hidden, and the knobs of every figure. */
import '../no-browser';
import { table as featureMapsTable } from '../../../web/labs/feature-maps/link-state';
import type { Lab } from '../../../web/src/lab/types';
import type { PropertyTable } from '../../../web/src/state/url';
import { figuresBelow, LABS, loadOpening } from '../../lab-figures';

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

for (const lab of LABS) await loadOpening(lab);

export const LAB_PAGES: readonly LabPage[] = await Promise.all(
  LABS.map(async (lab): Promise<LabPage> => {
    const figures = [];
    for (const figure of figuresBelow(lab)) {
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
