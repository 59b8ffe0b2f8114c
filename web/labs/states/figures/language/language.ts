import { book } from 'virtual:book';
import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { Client, JobTools } from '#client';
import '../../../../src/components/line-chart/line-chart.ts';
import tableCss from '../../../../src/figures/table.css?inline';
import type { Shown } from '../../../../src/lab/figure.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { chartPoint, type Level, type Series } from '../../../../src/plot/chart.ts';
import { formatBytes, formatCount } from '../../../../src/plot/counts.ts';
import { formatNumber, formatTick } from '../../../../src/plot/format.ts';
import { oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/language.ts';
import { chartSvg, look, modelTable } from '../looks.ts';
import { LabRace } from '../race.ts';
import {
  BATCH,
  CHARACTERS,
  KINDS,
  type Kind,
  LAYERS,
  LENGTH,
  SETS,
  TEMPERATURE,
  type Told,
  tell,
  WIDTH,
} from './models.ts';

adopt(tableCss);
adopt(css);

const table = {
  set: oneOf({ key: 'models', values: ['hybrids', 'all'], default: 'hybrids' }),
  steps: oneOf({ key: 'steps', values: ['150', '400', '1500'], default: '150' }),
  seed: seed(),
};
type Table = typeof table;
type Values = StateOf<Table>;

interface Row {
  readonly kind: Kind;
  /** Nothing where its worker was lost. */
  readonly told: Told | null;
}

/** The text without the titles of its chapters, once it was fetched. */
let loaded: Promise<string> | undefined;
function text(signal: AbortSignal): Promise<string> {
  loaded ??= fetch(book.address, { signal })
    .then(async (answer) => {
      if (!answer.ok) throw new Error(words.missing);
      return (await answer.text()).replace(/\f[^\n]*\n/g, '\n').slice(0, CHARACTERS);
    })
    .catch((error: unknown) => {
      loaded = undefined;
      throw signal.aborted ? error : new Error(words.missing);
    });
  return loaded;
}

/**
 * Language models of each kind on the same text with about the same number of parameters.
 *
 * @element attn-states-language
 */
@customElement('attn-states-language')
export class AttnStatesLanguage extends LabRace<Kind, Row, Table> {
  override readonly table = table;
  private text = '';

  override get heading(): string {
    return words.heading;
  }

  protected override isRow(row: unknown): row is Row {
    const { kind, told } = (row ?? {}) as Partial<Row>;
    return kind !== undefined && kind in KINDS && (told === null || Array.isArray(told?.losses));
  }

  protected override describe({ set, steps, seed }: Values): string {
    return words.describe(words.sets[set], steps, seed);
  }

  protected override entrants({ set }: Values): readonly Kind[] {
    return SETS[set];
  }

  protected override isOfEntrant({ kind }: Row, one: Kind): boolean {
    return kind === one;
  }

  protected override async prepare({ signal }: Ask): Promise<void> {
    this.text = await text(signal);
  }

  protected override async train(
    client: Client,
    tools: JobTools,
    kind: Kind,
    { steps, seed }: Values,
  ): Promise<Row> {
    return { kind, told: await tell(client, tools, kind, this.text, Number(steps), seed) };
  }

  protected override lostRow(kind: Kind): Row {
    return { kind, told: null };
  }

  protected override isLost({ told }: Row): boolean {
    return told === null;
  }

  protected renderKnobs(): unknown {
    const steps = Object.fromEntries(table.steps.values.map((value) => [value, value]));
    return html`${this.choice('set', { label: words.set, options: words.sets })}
    ${this.choice('steps', { label: words.steps, options: steps })} ${this.seed()}`;
  }

  private series({ result }: Shown<Values, readonly Row[]>): readonly Series[] {
    const order = Object.keys(KINDS);
    return result.flatMap(({ kind, told }) => {
      if (!told) return [];
      return {
        ...{ id: kind, label: words.kinds[kind], bare: true },
        ...look(order.indexOf(kind), this.dark),
        points: told.steps.map((step, k) => chartPoint(step + 1, told.losses[k] ?? Number.NaN)),
      };
    });
  }

  private levels(rows: readonly Row[]): readonly Level[] {
    const unigram = rows.find(({ told }) => told)?.told?.unigram;
    return unigram ? [{ y: unigram, label: words.unigram, dashed: true }] : [];
  }

  protected renderResult(shown: Shown<Values, readonly Row[]>): unknown {
    return html`<attn-line-chart
        .level=${4}
        .series=${this.series(shown)}
        .levels=${this.levels(shown.result)}
        .x=${{ linear: true }}
        .y=${{ linear: true }}
        .xLabel=${words.x}
        .yLabel=${words.y}
        .dark=${this.dark}
        .summary=${this.summary(shown)}
      ></attn-line-chart>
      ${modelTable(
        words.table,
        words.columns,
        shown.result.map(({ kind, told }) =>
          told
            ? html`<tr>
              <th scope="row">${words.kinds[kind]}</th>
              <td>${formatCount(told.parameters)}</td>
              <td>${formatBytes(told.stateBytes)}</td>
              <td>${formatNumber(told.heldOut)}</td>
              <td>${formatNumber(told.seconds)}</td>
              <td class="st-written" lang="en">${told.text}</td>
            </tr>`
            : html`<tr>
              <th scope="row">${words.kinds[kind]}</th>
              <td colspan="5">${words.lost}</td>
            </tr>`,
        ),
      )}`;
  }

  protected caption({ values }: Shown<Values, readonly Row[]>): string {
    const { steps, seed } = values;
    return words.caption({
      ...{ characters: formatCount(CHARACTERS), layers: LAYERS, width: WIDTH, length: LENGTH },
      ...{ steps, batch: BATCH, temperature: formatTick(TEMPERATURE), seed },
    });
  }

  protected override summary({ result }: Shown<Values, readonly Row[]>): string {
    const told = result.filter((row) => row.told !== null);
    const best = told.sort((a, b) => (a.told?.heldOut ?? 0) - (b.told?.heldOut ?? 0))[0];
    return best?.told ? words.summary(words.kinds[best.kind], formatNumber(best.told.heldOut)) : '';
  }

  protected data({ values, result }: Shown<Values, readonly Row[]>): FigureData {
    return {
      columns: words.data,
      rows: result.flatMap(({ kind, told }) =>
        told
          ? told.steps.map((step, i) => [
              ...[kind, values.seed, step, told.losses[i] ?? null, told.heldOut, told.parameters],
              ...[told.stateBytes, told.text],
            ])
          : [],
      ),
    };
  }

  protected override svg(shown: Shown<Values, readonly Row[]>): string {
    return chartSvg(this, this.fullCaption(shown), this.heading);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-states-language': AttnStatesLanguage;
  }
}
