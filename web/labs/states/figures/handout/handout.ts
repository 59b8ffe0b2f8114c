import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { FilterProbe, SequenceMixerInfo } from '#client';
import tableCss from '../../../../src/figures/table.css?inline';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { line, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import { prose } from '../../../../src/lab/text/prose.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { integer, type StateOf, seed, text } from '../../../../src/state/url.ts';
import { adopt } from '../../../../src/styles/adopt.ts';
import { QUOTED, QUOTED_MODELS } from '../../course-quotes.ts';
import css from '../../figures.css?inline';
import { words } from '../../words/handout.ts';
import { changeRows } from '../change-rows.ts';
import { modelName, modelRow, modelTable } from '../looks.ts';
import { mixersOf } from '../mixers.ts';

adopt(tableCss);
adopt(css);

const D_MODEL = 8;
const MOST_TOKENS = 32;

const table = {
  text: text({
    key: 'text',
    maxLength: 300,
    default: 'the cat sat on the mat and the dog sat on the log',
  }),
  other: text({
    key: 'other',
    maxLength: 300,
    default: 'if it rains we stay here unless a train comes early today',
  }),
  which: integer({ key: 'channel', default: 0, min: 0, max: 7 }),
  seed: seed(),
} as const;
type Values = StateOf<typeof table>;

interface Row {
  readonly info: SequenceMixerInfo;
  readonly probe: FilterProbe;
}

const split = (given: string): readonly string[] =>
  given.trim().split(/\s+/).filter(Boolean).slice(0, MOST_TOKENS);

/**
 * What the tutorial says of three models, beside what their filters do when the text changes.
 *
 * @element attn-states-handout
 */
@customElement('attn-states-handout')
export class AttnStatesHandout extends LabFigure<readonly Row[], typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  protected async compute(values: Values, { signal }: Ask): Promise<readonly Row[]> {
    const { client } = this.tools;
    const { which, seed } = values;
    const texts = [split(values.text), split(values.other)];
    const n = Math.min(...texts.map(({ length }) => length));
    // One number for each different word of both texts.
    const all = [...new Set(texts.flat())];
    const [x, other] = await Promise.all(
      texts.map((list) => {
        const ids = list.slice(0, n).map((word) => all.indexOf(word));
        return client.mixerTokens({ ids, d: D_MODEL, seed }, { signal });
      }),
    );
    if (!x || !other) return [];
    const infos = await mixersOf(client);
    return Promise.all(
      QUOTED_MODELS.flatMap((id) => infos.filter((info) => info.id === id)).map(async (info) => {
        const mixer = { id: info.id, dModel: D_MODEL, heads: 1, length: MOST_TOKENS };
        const probe = await client.probeFilter({ mixer, x, other, seed, which }, { signal });
        return { info, probe };
      }),
    );
  }

  protected override get controls() {
    return [
      line('text', { label: words.text }),
      line('other', { label: words.other }),
      slider('which', { label: words.which }),
      seedKnob(),
    ];
  }

  private texts({ probe }: Row): readonly string[] {
    const found = probe.filterFixed ? words.found.fixed : words.found.input;
    return [formatNumber(probe.change), formatNumber(probe.filterChange), found];
  }

  private verdict(rows: readonly Row[]): string {
    const name = ({ info }: Row): string => modelName(info.id, info.label);
    return words.verdict(
      rows.filter(({ probe }) => probe.filterFixed).map(name),
      rows.filter(({ probe }) => !probe.filterFixed).map(name),
    );
  }

  protected renderResult({ result }: Shown<Values, readonly Row[]>): unknown {
    return html`<p class="st-quote"><q>${QUOTED}</q></p>
      ${changeRows(this.heading, result, this.ghost?.result, this.dark)}`;
  }

  protected override renderDetails({ result }: Shown<Values, readonly Row[]>): unknown {
    return html`${modelTable(
      this.heading,
      words.columns,
      result.map((row) =>
        modelRow(modelName(row.info.id, row.info.label), [
          html`<q>${QUOTED}</q>`,
          ...this.texts(row),
        ]),
      ),
    )}
      <p class="fine">${prose(words.note)}</p>`;
  }

  protected override keyNumbers({ result }: Shown<Values, readonly Row[]>): readonly KeyNumber[] {
    return result.map(({ info, probe }) => ({
      label: words.filterOf(modelName(info.id, info.label)),
      value: probe.filterChange,
      text: probe.filterFixed ? words.fixed : formatNumber(probe.filterChange, 2),
    }));
  }

  protected caption({ values }: Shown<Values, readonly Row[]>): string {
    const n = Math.min(split(values.text).length, split(values.other).length);
    return words.caption({ n, dModel: D_MODEL, which: values.which, seed: values.seed });
  }

  protected override summary({ result }: Shown<Values, readonly Row[]>): string {
    return this.verdict(result);
  }

  protected data({ result }: Shown<Values, readonly Row[]>): FigureData {
    return {
      columns: words.data,
      rows: result.map(({ info, probe }) => [
        ...[info.id, info.label, QUOTED, probe.change, probe.filterChange],
        probe.filterFixed ? 1 : 0,
      ]),
    };
  }

  protected override svg(shown: Shown<Values, readonly Row[]>): string {
    const cells = shown.result.map((row) =>
      [modelName(row.info.id, row.info.label), `“${QUOTED}”`, ...this.texts(row)].map((text) => ({
        words: text,
      })),
    );
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(words.columns, cells, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-states-handout': AttnStatesHandout;
  }
}
