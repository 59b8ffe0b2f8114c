import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { RecallCapacityResult } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import { featureMapsOf } from '../../../../src/core.ts';
import tableCss from '../../../../src/figures/table.css?inline';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Question } from '../../../../src/lab/questions/question.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Marker, type Series } from '../../../../src/plot/chart.ts';
import { formatCount } from '../../../../src/plot/counts.ts';
import { formatTick } from '../../../../src/plot/format.ts';
import { nameOf } from '../../../../src/plot/names.ts';
import type { Look } from '../../../../src/plot/point-marks.ts';
import { integer, number, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/capacity.ts';
import { chartSvg, ink, looksOf, modelName, modelRow, modelTable } from '../looks.ts';
import { mixersOf } from '../mixers.ts';
import { FRONT } from '../pairs/memories.ts';
import { percent } from '../percent.ts';
import { capacityOf, PAIRS, SETS } from './capacities.ts';

adopt(tableCss);
adopt(css);

const table = {
  set: oneOf({ key: 'set', values: ['rules', 'maps'], default: 'rules' }),
  dK: integer({ key: 'd', label: 'd_k', default: 16, min: 4, max: 32 }),
  decay: number({ key: 'decay', default: 0.98, min: 0.8, max: 1 }),
  dV: integer({ key: 'dv', label: 'd_v', default: 32, min: 8, max: 64 }),
  draws: integer({ key: 'draws', default: 5, min: 1, max: 30 }),
  seed: seed(),
} as const;
type Values = StateOf<typeof table>;

interface Line {
  readonly id: string;
  readonly label: string;
  readonly found: RecallCapacityResult;
}

interface Result {
  readonly lines: readonly Line[];
  /** What theory expects of the sum, for each of `PAIRS`; empty for feature maps. */
  readonly theory: readonly number[];
}

/**
 * Pairs stored against pairs returned, without any training, for recurrences or feature maps.
 *
 * @element attn-states-capacity
 */
@customElement('attn-states-capacity')
export class AttnStatesCapacity extends LabFigure<Result, typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  private readonly answers = this.recentAnswers<RecallCapacityResult>(64);

  protected async compute(values: Values, ask: Ask): Promise<Result> {
    const { client } = this.tools;
    const { set, ...trials } = values;
    const [infos, maps] = await Promise.all([mixersOf(client), featureMapsOf(client)]);
    const labels = new Map<string, string>([...maps, ...infos].map(({ id, label }) => [id, label]));
    const ids = SETS[set];
    const lines: Line[] = [];
    for (const [i, id] of ids.entries()) {
      const found = await this.answers.of([id, trials], () =>
        capacityOf(client, id, trials, {
          signal: ask.signal,
          onProgress: (part) => ask.onProgress((i + part) / ids.length),
        }),
      );
      lines.push({ id, label: modelName(id, labels.get(id) ?? id), found });
    }
    const { dK, dV } = values;
    const theory =
      set === 'rules'
        ? await Promise.all(
            PAIRS.map((pairs) => client.sumRecallTheory({ pairs, dK, dV }, { signal: ask.signal })),
          )
        : [];
    return { lines, theory };
  }

  protected override get controls() {
    return [
      slider('dK', { label: words.dK, symbol: 'd_k' }),
      slider('decay', { label: words.decay, step: 0.01 }, { when: this.values.set === 'rules' }),
      choice('set', { label: words.set, options: words.sets }),
      slider('dV', { label: words.dV, symbol: 'd_v' }),
      slider('draws', { label: words.draws }),
      seedKnob(),
    ];
  }

  private isFront(id: string): boolean {
    return this.shown?.values.set === 'maps' || (FRONT as readonly string[]).includes(id);
  }

  private series({ result: { lines, theory } }: Shown<Values, Result>): readonly Series[] {
    const looks = looksOf(
      lines.map(({ id }) => id),
      this.dark,
    );
    const front = lines.filter(({ id }) => this.isFront(id));
    const series: Series[] = front.map(({ id, label, found }) => ({
      ...{ id, label, ...(looks.get(id) as Look) },
      points: Array.from(found.pairs, (n, k) =>
        chartPoint(n, found.mean[k] as number, found.least[k], found.largest[k]),
      ),
    }));
    const before = this.ghost?.result;
    for (const { id, found } of before?.lines ?? []) {
      const now = front.find((line) => line.id === id)?.found;
      // What has not moved lies on its line.
      if (!now || found.mean.every((share, k) => share === now.mean[k])) continue;
      series.push({
        ...{ ...(looks.get(id) as Look), id: `${id}-before`, label: nameOf('ghost') },
        ...{ model: true, unnamed: true, width: 1 },
        points: Array.from(found.pairs, (n, k) => chartPoint(n, found.mean[k] as number)),
      });
    }
    if (theory.length > 0) {
      series.push({
        ...{ id: 'theory', label: words.theory, color: ink(this.dark), mark: 'plus', model: true },
        points: theory.map((share, i) => chartPoint(PAIRS[i] as number, share)),
      });
    }
    series.push(this.chance());
    return series;
  }

  private chance(): Series {
    return {
      ...{ id: 'chance', label: words.chance, color: ink(this.dark), mark: 'plus' },
      // Only what is computed from theory, guessed or earlier is dashed.
      ...{ bare: true, width: 1, unnamed: true },
      points: PAIRS.map((n) => chartPoint(n, 1 / n)),
    };
  }

  private get markers(): readonly Marker[] {
    const { guess, truth } = this.bothAnswers;
    return [
      ...(guess === undefined ? [] : [{ x: guess, label: nameOf('guess'), dashed: true }]),
      ...(truth === undefined ? [] : [{ x: truth, label: words.half, strong: true }]),
    ];
  }

  private chart(series: readonly Series[], summary: string): unknown {
    return html`<attn-line-chart
      .level=${4}
      .series=${series}
      .markers=${this.markers}
      .levels=${[{ y: 0.5, label: '' }]}
      .x=${{ count: 'binary', low: PAIRS[0], high: PAIRS.at(-1) }}
      .y=${{ linear: true, low: 0, high: 1 }}
      .xLabel=${words.x}
      .yLabel=${words.y}
      .dark=${this.dark}
      .summary=${summary}
    ></attn-line-chart>`;
  }

  protected renderResult(shown: Shown<Values, Result>): unknown {
    return this.chart(this.series(shown), this.summary(shown));
  }

  /** What is known without a trial: how often guessing is right. */
  protected override renderAsked(_question: Question): unknown {
    return this.chart([this.chance()], '');
  }

  protected override renderDetails(shown: Shown<Values, Result>): unknown {
    return modelTable(
      words.table,
      words.columns,
      shown.result.lines.map((line) =>
        modelRow(line.label, [
          formatCount(line.found.numbers.at(-1) ?? Number.NaN),
          percent(line.found.mean.at(-1) ?? Number.NaN),
          this.half(line),
        ]),
      ),
    );
  }

  private half({ found: { halfLost } }: Line): string {
    return Number.isNaN(halfLost) ? words.never : words.pairsOf(Math.round(halfLost));
  }

  /** From how many pairs on each of those in front loses more than half. */
  protected override keyNumbers({ result }: Shown<Values, Result>): readonly KeyNumber[] {
    return result.lines
      .filter(({ id }) => id !== 'softmax' && this.isFront(id))
      .map((line) => ({ label: line.label, value: line.found.halfLost, text: this.half(line) }));
  }

  protected override resultLine(shown: Shown<Values, Result>): string {
    const said = this.keyNumbers(shown).map(({ label, text }) => `${label} ${text}`);
    return words.halfLost(said.join(', '));
  }

  protected override difference(before: Shown<Values, Result>, now: Shown<Values, Result>): string {
    const was = new Map(this.keyNumbers(before).map(({ label, text }) => [label, text]));
    const said = this.keyNumbers(now).flatMap(({ label, text }) => {
      const old = was.get(label);
      return old === undefined
        ? []
        : [old === text ? `${label} ${text}` : `${label} ${old} → ${text}`];
    });
    return said.length > 1 ? words.halfLost(said.join(', ')) : this.resultLine(now);
  }

  protected caption({ values }: Shown<Values, Result>): string {
    const { set, dK, dV, decay, draws, seed } = values;
    const seeds = draws === 1 ? String(seed) : `${seed}…${seed + draws - 1}`;
    const keys = set === 'rules' ? words.keysOfRules(formatTick(decay)) : words.keysOfMaps;
    return words.caption({ dK, dV, keys, draws, seeds });
  }

  protected override summary({ result: { lines } }: Shown<Values, Result>): string {
    const last = (line: Line): number => line.found.mean.at(-1) ?? 0;
    const sorted = [...lines].sort((a, b) => last(b) - last(a));
    const [best, worst] = [sorted[0], sorted.at(-1)];
    if (!best || !worst) return '';
    const [high, low] = [percent(last(best)), percent(last(worst))];
    return words.summary(PAIRS.at(-1) ?? 0, best.label, high, worst.label, low);
  }

  protected data({ result }: Shown<Values, Result>): FigureData {
    return {
      columns: words.data,
      rows: [
        ...result.lines.flatMap(({ id, found }) =>
          Array.from(found.pairs, (n, i) => [
            ...[id, n, found.mean[i] ?? null, found.least[i] ?? null, found.largest[i] ?? null],
            found.numbers[i] ?? null,
          ]),
        ),
        ...result.theory.map((share, i) => ['theory', PAIRS[i] ?? 0, share, null, null, null]),
      ],
    };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    return chartSvg(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-states-capacity': AttnStatesCapacity;
  }
}
