import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { CoreError, KvCache, type Matrix } from '#client';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { logOf } from '../../../../src/models/on-page.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { fileOf, tablePicture } from '../../../../src/plot/picture-file.ts';
import { integer, type StateOf } from '../../../../src/state/url.ts';
import { problemText } from '../../../../src/strings/problem.ts';
import { QUOTED, QUOTED_MASK } from '../../course-quotes.ts';
import { words } from '../../words/quoted.ts';

const CAPACITY = 8;

const table = {
  keys: integer({ key: 'keys', default: 4, min: 1, max: 64 }),
  held: integer({ key: 'held', default: 6, min: 0, max: CAPACITY }),
  coming: integer({ key: 'coming', default: 4, min: 1, max: 2 * CAPACITY }),
} as const;
type Values = StateOf<typeof table>;

interface Result {
  /** The weight of each key of a row that is hidden by the text's number. */
  readonly each: number;
  /** That number in float16. */
  readonly half: number;
  /** Whether the text's line lets the tokens pass, and whether the cache takes them. */
  readonly passes: boolean;
  readonly fits: boolean;
  readonly refusal: string;
  readonly roles: ReadonlyMap<string, number>;
}

/**
 * What the course's text says of masks, caches and heads, beside what happens when it is done.
 *
 * @element attn-heads-quoted
 */
@customElement('attn-heads-quoted')
export class AttnHeadsQuoted extends LabFigure<Result, typeof table> {
  readonly table = table;
  get heading(): string {
    return words.heading;
  }

  protected async compute({ keys, held, coming }: Values, { signal }: Ask): Promise<Result> {
    const { client } = this.tools;
    const x = { rows: keys, cols: 1, data: new Float32Array(keys).fill(QUOTED_MASK) };
    const { weights } = await client.softmax({ x }, { signal });
    const { value } = await client.roundNumber({ x: QUOTED_MASK }, { signal });
    const cache = await KvCache.create(client, { capacity: CAPACITY, kvHeads: 1, dK: 1, dV: 1 });
    const tokens = (rows: number): Matrix => ({ rows, cols: 1, data: new Float32Array(rows) });
    let refusal = '';
    try {
      if (held > 0) await cache.append({ k: tokens(held), v: tokens(held) }, { signal });
      await cache.append({ k: tokens(coming), v: tokens(coming) }, { signal });
    } catch (error) {
      if (!(error instanceof CoreError) || error.code !== 'capacity') throw error;
      refusal = await problemText(error);
    } finally {
      await cache.dispose();
    }
    const roles = new Map<string, number>();
    for (const { name } of (await logOf('reader')).heads.names) {
      roles.set(name, (roles.get(name) ?? 0) + 1);
    }
    return {
      ...{ each: weights.data[0] ?? Number.NaN, half: value, roles, refusal, fits: refusal === '' },
      // The text's line looks at the tokens that come, as its own code does, and not at those that are there.
      passes: coming <= CAPACITY,
    };
  }

  protected override get controls() {
    return [
      slider('coming', { label: words.coming }),
      slider('keys', { label: words.keys }),
      slider('held', { label: words.held }),
    ];
  }

  private rows({ values, result }: Shown<Values, Result>): readonly (readonly [string, string])[] {
    const { roles, passes, refusal, each, half } = result;
    const all = [...roles.values()].reduce((sum, one) => sum + one, 0);
    const named = all - (roles.get('none') ?? 0);
    const said = [...roles]
      .filter(([role]) => role !== 'none')
      .map(([role, count]) =>
        words.count(words.roles[role as keyof typeof words.roles] ?? role, count),
      )
      .join(', ');
    const { held, coming } = values;
    return [
      [QUOTED.masked, words.masked(values.keys, formatNumber(each), formatNumber(half))],
      [QUOTED.cache, words.cache(CAPACITY, held, coming, passes, refusal || words.fits)],
      [QUOTED.heads, words.heads(named, all, said)],
    ];
  }

  /** The weights of the hidden keys, of which all of a row is as high as the strip. */
  private readonly drawWeights = ({ values, result }: Shown<Values, Result>): unknown =>
    html`<div class="hq-strip weights" aria-hidden="true">
      ${Array.from({ length: values.keys }, () => html`<i .style=${`--part:${result.each.toFixed(4)}`}></i>`)}
    </div>`;

  /** The places of the cache, what is in them, and what comes; what does not fit is beyond its end. */
  private readonly drawCache = ({ values: { held, coming } }: Shown<Values, Result>): unknown =>
    html`<div class="hq-strip places" aria-hidden="true">
      ${Array.from({ length: Math.max(CAPACITY, held + coming) }, (_, i) => {
        const filled = i < held ? 'held' : i < held + coming ? 'coming' : '';
        return html`<i class="${filled} ${i < CAPACITY ? '' : 'beyond'}"></i>`;
      })}
    </div>`;

  /** One cell for each head, those with a name first. */
  private readonly drawHeads = ({ result: { roles } }: Shown<Values, Result>): unknown => {
    const all = [...roles.values()].reduce((sum, one) => sum + one, 0);
    const named = all - (roles.get('none') ?? 0);
    return html`<div class="hq-strip places" aria-hidden="true">
      ${Array.from({ length: all }, (_, i) => html`<i class=${i < named ? 'held' : ''}></i>`)}
    </div>`;
  };

  protected renderResult(shown: Shown<Values, Result>): unknown {
    const pictures = [this.drawWeights, this.drawCache, this.drawHeads];
    return html`<table class="figure-table hq-quotes">
      <thead>
        <tr>
          ${words.columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${this.rows(shown).map(
          ([quote, tried], i) => html`<tr>
            <th scope="row">${i < 2 ? html`<code>${quote}</code>` : html`<q>${quote}</q>`}</th>
            <td>${pictures[i]?.(shown)} ${tried}</td>
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  protected override keyNumbers({ result }: Shown<Values, Result>): readonly KeyNumber[] {
    return [{ label: words.numbers.each, value: result.each }];
  }

  protected override resultLine({ result }: Shown<Values, Result>): string {
    return words.result(formatNumber(result.each), result.passes, result.fits);
  }

  /** Most of what changes here is no number. */
  protected override difference(
    _before: Shown<Values, Result>,
    now: Shown<Values, Result>,
  ): string {
    return this.resultLine(now);
  }

  protected override summary(shown: Shown<Values, Result>): string {
    return this.resultLine(shown);
  }

  protected caption(): string {
    return words.caption(CAPACITY);
  }

  protected data(shown: Shown<Values, Result>): FigureData {
    return { columns: words.columns, rows: this.rows(shown) };
  }

  protected override svg(shown: Shown<Values, Result>): string {
    const cells = this.rows(shown).map((row) => row.map((one) => ({ words: one })));
    const about = { title: this.heading, caption: this.fullCaption(shown) };
    return fileOf(tablePicture(words.columns, cells, this.dark), about, this.dark);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-heads-quoted': AttnHeadsQuoted;
  }
}
