/** Asks how a cell of the pictures came about: one question at a time, always about the newest cell. */
import {
  type CellExplanation,
  type Client,
  type CompareOptions,
  CoreError,
  type OrKept,
} from '#client';
import type { Cell } from '../../src/components/heatmap/heatmap.ts';
import { RecentAnswers } from '../../src/lab/figure/recent-answers.ts';

const MOST_CELLS = 500;

/** The picture on screen and the cell in it; undefined while there is no picture. */
interface Wanted {
  readonly input: OrKept<CompareOptions>;
  readonly cell: Cell;
}

const same = (a: Wanted, b: Wanted | undefined): boolean =>
  a.input === b?.input && a.cell.row === b.cell.row && a.cell.col === b.cell.col;

export class CellExplainer {
  explanation: CellExplanation | undefined;
  private explained: Wanted | undefined;
  private readonly answers = new RecentAnswers<CellExplanation>(MOST_CELLS);
  private asking = false;

  constructor(
    private readonly figure: {
      readonly wanted: () => Wanted | undefined;
      readonly changed: () => void;
      /** The core was restarted: the pictures have to be asked for again. */
      readonly gone: () => void;
    },
  ) {}

  async explain(client: Client): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    const { wanted, changed, gone } = this.figure;
    try {
      for (let now = wanted(); now && !same(now, this.explained); now = wanted()) {
        const { input, cell } = now;
        const question = { ...input, query: cell.row, key: cell.col };
        const explanation = await this.answers.of(question, () =>
          client.explainCell(question, { key: 'explain' }),
        );
        if (!same(now, wanted())) continue;
        this.explanation = explanation;
        this.explained = now;
        changed();
      }
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      this.explanation = undefined;
      this.explained = undefined;
      changed();
      if (error.code === 'gone') gone();
    } finally {
      this.asking = false;
    }
  }
}
