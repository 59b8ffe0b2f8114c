import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { ScalingCell } from '#client';
import { LabFigure, type Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { integer, type StateOf, seed } from '../../../../src/state/url.ts';
import { QUOTED } from '../../course-quotes.ts';
import { figureWords } from '../../words/figures.ts';
import { numbers, said } from '../parts.ts';

const words = figureWords.now.handout;

const table = {
  n: integer({ key: 'n', min: 2, max: 64, default: 4 }),
  draws: integer({ key: 'draws', min: 2, max: 40, default: 20 }),
  seed: seed(),
};
type Values = StateOf<typeof table>;
type Result = readonly ScalingCell[];

/**
 * The course text's table of largest weights beside the measured one.
 *
 * @element attn-handout-scaling
 */
@customElement('attn-handout-scaling')
export class AttnHandoutScaling extends LabFigure<Result, typeof table> {
  override readonly table = table;

  override get heading(): string {
    return words.heading;
  }

  protected override async compute({ n, draws, seed }: Values, ask: Ask): Promise<Result> {
    const { cells } = await this.tools.client.scalingExperiment(
      { dK: QUOTED.map(({ dK }) => dK), n: [n], draws, seed, gradients: false },
      ask,
    );
    return cells;
  }

  protected override renderKnobs(): unknown {
    return html`${this.slider('n', { symbol: 'n', label: words.n, log: true })} ${this.seed()}`;
  }

  private at(cells: Result, dK: number, scaled: boolean): ScalingCell | undefined {
    return cells.find((cell) => cell.dK === dK && cell.scaled === scaled);
  }

  private rows({ result }: Shown<Values, Result>) {
    return QUOTED.map((quoted) => {
      const [off, on] = [this.at(result, quoted.dK, false), this.at(result, quoted.dK, true)];
      const say = (x: number | undefined): string => formatNumber(x ?? Number.NaN);
      return [
        String(quoted.dK),
        `“${quoted.without}”`,
        say(off?.rowMax.mean),
        say(off?.pictureMax.mean),
        `“${quoted.with}”`,
        say(on?.rowMax.mean),
      ] as const;
    });
  }

  protected override renderResult(shown: Shown<Values, Result>): unknown {
    return html`${numbers(words.table, words.columns, this.rows(shown))}
    ${said([this.summary(shown)])}`;
  }

  protected override caption({ values: { n, draws, seed } }: Shown<Values, Result>): string {
    return words.caption(n, draws, seed);
  }

  protected override summary({ values, result }: Shown<Values, Result>): string {
    const on = this.at(result, 64, true);
    return on
      ? words.sentence(values.n, formatNumber(on.rowMax.mean), formatNumber(on.pictureMax.mean))
      : '';
  }

  protected override data(shown: Shown<Values, Result>): FigureData {
    return { columns: words.columns, rows: this.rows(shown) };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const rows = this.rows(shown).map((row) => row.map((cell) => ({ words: cell })));
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(words.columns, rows, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-handout-scaling': AttnHandoutScaling;
  }
}
