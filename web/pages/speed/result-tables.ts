/** The tables below the figure, and the explanations. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { type KernelInfo, timing } from '#client';
import { rich } from '../../src/components/rich-text/rich-text.ts';
import { decimal, formatNumber } from '../../src/plot/format.ts';
import { speed as words } from '../../src/strings/speed.ts';
import { type Findings, SAMPLE_MILLISECONDS } from './measure.ts';
import {
  bestPeak,
  type Crossing,
  type Measurement,
  pairedRatio,
  quartiles,
  type Row,
  type StayId,
  stays,
} from './measurement.ts';

export interface Results {
  readonly measurement: Measurement | undefined;
  readonly rows: readonly Row[];
  readonly findings: Findings | undefined;
  /** The mechanisms whose rows are shown. */
  readonly length: number;
  readonly choose: (length: number) => void;
}

export const percent = (share: number): string =>
  decimal((100 * share).toFixed(share < 0.1 ? 1 : 0));
/** Writes 134 217 728 as 134 M: nobody adds up such a column. */
const large = (value: number): string =>
  value >= 1e9
    ? `${formatNumber(value / 1e9)} G`
    : value >= 1e6
      ? `${formatNumber(value / 1e6)} M`
      : value >= 1e4
        ? `${formatNumber(value / 1e3)} k`
        : String(value);
const fixed = (value: number): string => decimal(value.toFixed(2).replace('-', '−'));
const round = (n: number): string => String(Math.round(n));

export function crossingText(crossing: Crossing | undefined): string {
  if (!crossing) return '–';
  if (crossing.kind === 'below') return words.answer.below(crossing.n);
  if (crossing.kind === 'never') return words.answer.never(crossing.n);
  return words.answer.between(round(crossing.n), crossing.low, crossing.high);
}

/** The table of crossings, measured and by the cost model. */
export function duels(findings: Findings | undefined) {
  if (!findings) return nothing;
  const { answer } = words;
  const columns = Object.values(answer.columns);
  return html`<div class="block">
    <h2 id="duels-title">${answer.title}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label=${answer.title}>
      <table class="numbers">
        <thead>
          <tr>
            ${columns.map((column) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${findings.duels.map(({ softmax, linear, measured, predicted }) => {
            const exact = measured?.kind === 'between' ? measured.n : undefined;
            return html`<tr>
              <th scope="row">
                ${answer.pair(words.longNames[linear] ?? linear, words.longNames[softmax] ?? softmax)}
              </th>
              <td>${crossingText(measured)}</td>
              <td>${predicted === undefined ? answer.noPrediction : predicted}</td>
              <td>
                ${exact && predicted ? formatNumber(exact / predicted, 2) : answer.noRatio}
              </td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
    <p class="fine">${answer.how}</p>
  </div>`;
}

/** Times and counts at one length. */
export function results({ measurement, rows, findings, length, choose }: Results) {
  if (!measurement || rows.length === 0) return nothing;
  const { table } = words;
  const all = measurement.lengths.filter((n) => rows.some((row) => row.n === n));
  const chosen = all.includes(length) ? length : (all.at(-1) ?? 0);
  const shown = rows.filter(({ n }) => n === chosen);
  return html`<div class="block">
    <div class="block-head">
      <h2 id="table-title">${table.title}</h2>
      <span class="pick"
        ><label for="length">${table.choose}</label>
        <select
          id="length"
          @change=${(event: Event) => {
            choose(Number((event.target as HTMLSelectElement).value));
          }}
        >
          ${all.map((n) => html`<option value=${n} .selected=${live(n === chosen)}>${n}</option>`)}
        </select>
      </span>
    </div>
    <div class="scroll" tabindex="0" role="region" aria-label=${table.title}>
      <table class="numbers">
        <thead>
          <tr>
            ${Object.values(table.columns).map((column) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map(({ id, median, low, high, counted, gigaflops, share }) => {
            const fit = findings?.fits[id];
            return html`<tr>
              <th scope="row">${words.mechanisms[id]}</th>
              <td>${formatNumber(median)}</td>
              <td>${formatNumber(low)} – ${formatNumber(high)}</td>
              <td>${counted ? large(counted.multiplyAdds) : '–'}</td>
              <td>${counted ? large(counted.exps) : '–'}</td>
              <td>
                ${counted ? formatNumber((counted.bytesRead + counted.bytesWritten) / 1e6) : '–'}
              </td>
              <td>${gigaflops ? formatNumber(gigaflops) : '–'}</td>
              <td>${share ? `${percent(share)} %` : '–'}</td>
              <td>
                ${
                  fit
                    ? html`${fixed(fit.slope)}
                        <span class="spread"
                          >${fixed(fit.slopeInterval.low)} –
                          ${fixed(fit.slopeInterval.high)}</span
                        >`
                    : '–'
                }
              </td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
    <p class="fine">${table.intro} ${table.slopeNote}</p>
  </div>`;
}

/** Sharp logits and odd sizes. */
export function stay({ stay }: Pick<Measurement, 'stay'>) {
  if (!stay?.ordinary?.length) return nothing;
  const { columns } = words.stay;
  const work = (id: StayId): number => {
    const { n = 0, dK = 0, dV = 0 } = stays[id];
    return n * n * (dK + dV);
  };
  const line = (name: string, before: StayId, after: StayId, per: number) => {
    const [a = [], b = []] = [stay[before], stay[after]];
    const ratio = pairedRatio(b, a);
    if (!ratio) return nothing;
    return html`<tr>
      <th scope="row">${rich(name)}</th>
      <td>${formatNumber(quartiles(a).median)}</td>
      <td>${formatNumber(quartiles(b).median)}</td>
      <td>
        <strong>${formatNumber(ratio.median / per, 3)}</strong>
        <span class="spread"
          >${formatNumber(ratio.low / per, 3)} – ${formatNumber(ratio.high / per, 3)}</span
        >
      </td>
    </tr>`;
  };
  return html`<div class="block">
    <h2 id="stay-title">${words.stay.title}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label=${words.stay.title}>
      <table class="numbers">
        <thead>
          <tr>
            ${Object.values(columns).map((column) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${line(words.stay.sharp, 'ordinary', 'sharp', 1)}
          ${line(words.stay.odd, 'even', 'odd', work('odd') / work('even'))}
        </tbody>
      </table>
    </div>
    <p class="fine">${words.stay.intro}</p>
  </div>`;
}

/** What a call costs beside its work. */
export function overhead({ overhead: cost }: Pick<Measurement, 'overhead'>) {
  if (!cost) return nothing;
  const said = words.overhead;
  const lines = [
    [said.trip, cost.roundTripMilliseconds],
    [said.copyIn, cost.copyInMillisecondsPerMB],
    [said.copyOut, cost.copyOutMillisecondsPerMB],
  ] as const;
  return html`<section class="block" aria-labelledby="overhead-title">
    <h2 id="overhead-title">${said.title}</h2>
    <dl class="facts">
      ${lines.map(
        ([name, ms]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${said.ms(formatNumber(ms))}</dd>
          </div>`,
      )}
    </dl>
    <p class="fine">${said.intro}</p>
  </section>`;
}

/** Why nothing is faster than the peak, and how it is measured. */
export function reading(measurement: Measurement | undefined, kernels: KernelInfo | undefined) {
  const { roof, how } = words;
  const lanes = measurement?.place.lanes ?? kernels?.lanes ?? 4;
  const fused = measurement?.place.fused ?? kernels?.fusedMultiplyAdd ?? false;
  const best = measurement && bestPeak(measurement);
  return html`<div class="reading">
    <h2>${roof.title}</h2>
    <p>${rich(roof.text(lanes, fused))}</p>
    ${
      best
        ? html`<p>
            ${roof.figure(formatNumber((2 * best) / 1e9), lanes, formatNumber(best / lanes / 1e9))}
          </p>`
        : nothing
    }
    <h2>${how.title}</h2>
    <ul class="points">
      ${how.points(SAMPLE_MILLISECONDS, timing.clockSteps, timing.warmMilliseconds).map((point) => html`<li>${rich(point)}</li>`)}
    </ul>
  </div>`;
}
