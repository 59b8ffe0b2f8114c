import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { HeadRole } from '#client';
import { sheetTable } from '../../../../src/figures/sheet-table.ts';
import { type KeyNumber, LabFigure, type Shown } from '../../../../src/lab/figure/figure.ts';
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { Ask, FigureData } from '../../../../src/lab/types.ts';
import { formatNumber } from '../../../../src/plot/format.ts';
import { integer, number, oneOf, type StateOf, seed } from '../../../../src/state/url.ts';
import { meaningWords } from '../../words/meaning.ts';
import { words as opening } from '../../words/opening.ts';
import { PIECE } from '../shared/book-pieces.ts';
import { percent } from '../shared/chart.ts';
import { SmallWindow } from '../shared/small-window.ts';
import { type BothNamed, type Named, namesOf } from './named.ts';

const { names: words } = meaningWords.now;

export const FIRST = { gain: 0.1, pieces: 6, seed: 0 } as const;
const HEADS = 4;
const MODELS = ['reader', 'untrained'] as const;

const table = {
  rule: oneOf({ key: 'rule', values: ['largest', 'baseline', 'heldOut'], default: 'heldOut' }),
  gain: number({ key: 'gain', min: 0.01, max: 0.5, default: FIRST.gain }),
  pieces: integer({ key: 'pieces', min: 2, max: 12, default: FIRST.pieces }),
  seed: seed({ default: FIRST.seed }),
};
type Table = typeof table;
type Values = StateOf<Table>;

/** What each head is called by a rule. */
export function rolesBy(rule: Values['rule'], { heads, largest }: Named): readonly HeadRole[] {
  if (rule === 'largest') return largest;
  return heads.map(({ role, candidate }) => (rule === 'baseline' ? candidate : role));
}

export const namedBy = (rule: Values['rule'], named: Named): number =>
  rolesBy(rule, named).filter((role) => role !== 'none').length;

/**
 * The names that a rule gives to the heads of a trained model, and of one with random weights.
 *
 * @element attn-head-names
 */
@customElement('attn-head-names')
export class AttnHeadNames extends LabFigure<BothNamed, Table> {
  override readonly table = table;
  protected override readonly firstKnobs = ['rule', 'gain'] as const;
  /** A phone has room for one table: of the control its count. */
  private readonly small = new SmallWindow(this);
  private readonly answers = this.recentAnswers<BothNamed>(8);

  protected override get wordsLang(): 'en' | undefined {
    return meaningWords.lang;
  }

  override get heading(): string {
    return words.heading;
  }

  protected override compute({ rule: _, ...how }: Values, ask: Ask): Promise<BothNamed> {
    return this.answers.of(how, () => namesOf(this.tools.client, how, ask));
  }

  protected override get controls(): readonly Knob<keyof Table & string>[] {
    return [
      choice('rule', { label: words.rule, options: words.rules, list: true }),
      slider('gain', { label: words.gain, step: 0.01 }),
      slider('pieces', { label: words.pieces }),
      seedKnob(),
    ];
  }

  protected override renderResult({ values, result }: Shown<Values, BothNamed>): unknown {
    const before = this.ghost;
    return html`<div class="hd-names">
      ${MODELS.map((model) => {
        const roles = rolesBy(values.rule, result[model]);
        const was = before && rolesBy(before.values.rule, before.result[model]);
        const count = namedBy(values.rule, result[model]);
        if (model === 'untrained' && this.small.matches) {
          return html`<p>${words.models[model]}: <b>${words.of(count, roles.length)}</b></p>`;
        }
        return html`<table aria-label=${words.picture(words.models[model], count)}>
          <caption>${words.models[model]}: <b>${words.of(count, roles.length)}</b></caption>
          <tbody>
            ${Array.from(
              { length: roles.length / HEADS },
              (_, layer) => html`<tr>
                <th scope="row">${layer + 1}</th>
                ${Array.from({ length: HEADS }, (_, which) => {
                  const role = roles[layer * HEADS + which] ?? 'none';
                  const old = was?.[layer * HEADS + which];
                  return html`<td class="${role}">
                    ${old !== undefined && old !== role ? html`<s>${opening.short[old]}</s> ` : ''}${role === 'none' ? words.none : opening.short[role]}
                  </td>`;
                })}
              </tr>`,
            )}
          </tbody>
        </table>`;
      })}
    </div>`;
  }

  protected override resultLine({ values, result }: Shown<Values, BothNamed>): string {
    return words.verdict(
      namedBy(values.rule, result.reader),
      result.reader.heads.length,
      namedBy(values.rule, result.untrained),
    );
  }

  protected override summary(shown: Shown<Values, BothNamed>): string {
    return this.resultLine(shown).replaceAll('*', '');
  }

  protected override keyNumbers({
    values,
    result,
  }: Shown<Values, BothNamed>): readonly KeyNumber[] {
    return MODELS.map((model) => {
      const value = namedBy(values.rule, result[model]);
      return {
        label: model === 'reader' ? words.named : words.control,
        value,
        text: String(value),
      };
    });
  }

  protected override renderDetails({ result }: Shown<Values, BothNamed>): unknown {
    const { reader, untrained } = result;
    return sheetTable({
      ...{ label: this.heading, caption: words.table, columns: words.tableColumns },
      rows: reader.heads.map((head, i) => {
        const random = untrained.heads[i];
        return [
          words.head(Math.floor(i / HEADS) + 1, (i % HEADS) + 1),
          opening.short[head.candidate],
          ...[head.chosen.score, head.chosen.gain, head.heldOut.gain].map(percent),
          ...(random ? [opening.short[random.candidate], percent(random.heldOut.gain)] : ['', '']),
        ];
      }),
    });
  }

  protected override caption({ values }: Shown<Values, BothNamed>): string {
    const { rule, gain, pieces, seed: drawn } = values;
    return words.caption({
      ...{ pieces, tokens: PIECE, gain: formatNumber(gain), rule: words.rules[rule], seed: drawn },
    });
  }

  protected override data({ values, result }: Shown<Values, BothNamed>): FigureData {
    return {
      columns: words.columns,
      rows: MODELS.flatMap((model) => {
        const roles = rolesBy(values.rule, result[model]);
        return result[model].heads.map(({ chosen, heldOut }, i) => [
          ...[model, Math.floor(i / HEADS) + 1, (i % HEADS) + 1, roles[i] ?? 'none'],
          ...[chosen.score, chosen.gain, heldOut.gain],
        ]);
      }),
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-head-names': AttnHeadNames;
  }
}
