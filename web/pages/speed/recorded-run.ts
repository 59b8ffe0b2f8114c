import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { standalone } from '../../src/plot/chart.ts';
import { paints, seriesColors } from '../../src/plot/chart-colors.ts';
import { formatNumber } from '../../src/plot/format.ts';
import { type Mark, paintedMark } from '../../src/plot/point-marks.ts';
import { type Dot, type DotChart, dotsHeight, drawDots } from '../../src/plot/ratio-dots.ts';
import { speed as words } from '../../src/strings/speed.ts';
import { type Recorded, type RecordedRow, readRecorded, recordedToCsv } from './peers-record.ts';
import { tools } from './save-buttons.ts';

const runs = import.meta.glob('../../src/speed/recorded/peers.json', { import: 'default' });
const MARKS: readonly Mark[] = ['circle', 'square', 'diamond', 'triangle', 'down'];
type Action = keyof typeof words.recorded.actions;
/** Where labels have room beside the dots. */
const GUTTER_FROM = 560;

type Sort = { readonly column: string; readonly down: boolean };

/**
 * A recorded run beside other libraries: a picture of ratios and a table that can be sorted.
 *
 * @element attn-recorded
 * @fires attn-choose - Another length or build. Detail: {length} or {build}.
 */
@customElement('attn-recorded')
export class AttnRecorded extends LitElement {
  @property({ type: Number }) length = 1024;
  @property() build = 'simd';
  @property({ type: Boolean }) dark = false;

  @state() private run: Recorded | undefined;
  @state() private missing = false;
  @state() private width = 0;
  @state() private sort: Sort = { column: '', down: false };
  @state() private status = '';
  @state() private linkToShow = '';
  /** The file as it is. */
  private whole: unknown;
  private watch: ResizeObserver | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.watch = new ResizeObserver(([entry]) => {
      this.width = Math.round(entry?.contentRect.width ?? 0);
    });
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.watch?.disconnect();
  }

  protected override updated(): void {
    const frame = this.querySelector('.dots');
    if (frame) this.watch?.observe(frame);
  }

  private async load(): Promise<void> {
    const [load] = Object.values(runs);
    this.whole = await load?.().catch(() => undefined);
    this.run = readRecorded(this.whole);
    this.missing = !this.run;
  }

  private choose(detail: { readonly length?: number; readonly build?: string }): void {
    this.dispatchEvent(new CustomEvent('attn-choose', { detail }));
  }

  /** What was asked for, or the nearest that was recorded. */
  private get chosen(): { readonly length: number; readonly build: string } {
    const { lengths = [], builds = [] } = this.run ?? {};
    const build = builds.includes(this.build) ? this.build : (builds[0] ?? '');
    const distance = (n: number): number => Math.abs(Math.log(n / this.length));
    const length = lengths.reduce((best, n) => (distance(n) < distance(best) ? n : best), Infinity);
    return { length, build };
  }

  private color(peer: string): string {
    const colors = seriesColors[this.dark ? 'dark' : 'light'].slice(1);
    const at = this.run?.peers.indexOf(peer) ?? 0;
    return colors[at % colors.length] ?? '';
  }

  private markOf(peer: string): Mark {
    return MARKS[(this.run?.peers.indexOf(peer) ?? 0) % MARKS.length] ?? 'circle';
  }

  /** Marks and their words, for the page and for a file. */
  private legend(build: string): { label: string; color: string; mark: Mark; hollow?: boolean }[] {
    const { peers = [], rows = [] } = this.run ?? {};
    const forms = rows.some(
      (row) => row.build === build && row.ratios.some(({ form }) => form !== ''),
    );
    const { ink } = paints[this.dark ? 'dark' : 'light'];
    const hollow = {
      label: words.recorded.hollow,
      color: ink,
      mark: 'circle',
      hollow: true,
    } as const;
    return [
      ...peers.map((peer) => ({ label: peer, color: this.color(peer), mark: this.markOf(peer) })),
      ...(forms ? [hollow] : []),
    ];
  }

  private dotsOf(row: RecordedRow): Dot[] {
    return row.ratios.map(({ peer, form, median, low, high }) => ({
      label: peer,
      color: this.color(peer),
      mark: this.markOf(peer),
      hollow: form !== '',
      median,
      low,
      high,
    }));
  }

  private chart(width: number): DotChart {
    const { length, build } = this.chosen;
    const rows = (this.run?.rows ?? [])
      .filter((row) => row.n === length && row.build === build)
      .map((row) => ({ label: row.title, dots: this.dotsOf(row) }))
      .filter(({ dots }) => dots.length > 0);
    const longest = Math.max(0, ...rows.map(({ label }) => label.length));
    return {
      width,
      rows,
      xLabel: words.recorded.x,
      paint: paints[this.dark ? 'dark' : 'light'],
      gutter: width >= GUTTER_FROM ? Math.min(300, 7 * longest + 8) : 0,
    };
  }

  private svg(): string {
    const { length, build } = this.chosen;
    const chart = this.chart(840);
    return standalone({
      inside: drawDots(chart),
      width: chart.width,
      height: dotsHeight(chart),
      title: words.recorded.chartTitle(length, words.recorded.builds[build] ?? build),
      caption: this.caption,
      legend: this.legend(build),
      paint: chart.paint,
    });
  }

  private async act(action: Action): Promise<void> {
    const { copyLink, savePng, saveText } = await import('./save-and-share.ts');
    const { run, whole } = this;
    const { length, build } = this.chosen;
    this.linkToShow = '';
    // A picture is of one length and build, the others are of all.
    const picture = `attention-labs-peers-${length}-${build}.${action}`;
    const all = `attention-labs-peers.${action}`;
    if (action === 'png') this.status = await savePng(picture, this.svg());
    if (action === 'svg') this.status = saveText(picture, this.svg(), 'image/svg+xml');
    if (action === 'csv' && run) {
      this.status = saveText(all, recordedToCsv(run, this.caption), 'text/csv');
    }
    if (action === 'json') {
      this.status = saveText(all, `${JSON.stringify(whole, null, 1)}\n`, 'application/json');
    }
    if (action === 'link') {
      const { status, refused } = await copyLink();
      this.status = refused === undefined ? words.recorded.linkCopied : status;
      this.linkToShow = refused ?? '';
    }
  }

  private get caption(): string {
    if (!this.run) return '';
    const { about, peaks } = this.run;
    const said = words.recorded;
    const { cpu, cores, platform, load } = about.machine;
    return said.caption(
      said.machine(cpu, cores, platform, load.before, load.after),
      about.browser,
      about.date,
      about.command,
      about.commit,
      Object.entries(about.peers).map(([name, version]) => `${name} ${version}`),
      peaks.map(({ name, gigaflops }) => `${name} ${formatNumber(gigaflops)} GF/s`),
      about.method,
    );
  }

  private renderPick(
    name: 'length' | 'build',
    label: string,
    options: readonly (readonly [value: string, label: string])[],
  ) {
    const { [name]: chosen } = this.chosen;
    return html`<span class="pick"
      ><label for="recorded-${name}">${label}</label>
      <select
        id="recorded-${name}"
        @change=${(event: Event) => {
          const { value } = event.target as HTMLSelectElement;
          this.choose(name === 'length' ? { length: Number(value) } : { build: value });
        }}
      >
        ${options.map(
          ([value, said]) =>
            html`<option value=${value} .selected=${live(value === String(chosen))}>${said}</option>`,
        )}
      </select>
    </span>`;
  }

  private renderChart() {
    const { run, width } = this;
    if (!run) return nothing;
    const chart = this.chart(Math.max(260, width));
    const height = dotsHeight(chart);
    const paint = paints[this.dark ? 'dark' : 'light'];
    const { length, build } = this.chosen;
    const title = words.recorded.chartTitle(length, words.recorded.builds[build] ?? build);
    return html`<figure>
      <ul class="legend">
        ${this.legend(build).map(
          (one) => html`<li>
            <svg viewBox="0 0 18 14" width="18" height="14" aria-hidden="true">
              <g .innerHTML=${paintedMark(one, 9, 7, paint.paper, 4.5)}></g>
            </svg>
            ${one.label}
          </li>`,
        )}
      </ul>
      <div class="dots" role="img" aria-label="${title}. ${words.recorded.keep}">
        ${
          chart.rows.length > 0 && width > 0
            ? html`<svg
                viewBox="0 0 ${chart.width} ${height}"
                height=${height}
                width="100%"
                aria-hidden="true"
                .innerHTML=${drawDots(chart)}
              ></svg>`
            : html`<p class="fine">${words.recorded.nothing}</p>`
        }
      </div>
      <figcaption>${this.caption}</figcaption>
    </figure>`;
  }

  private value(row: RecordedRow, column: string): number | string {
    switch (column) {
      case 'case':
        return row.title;
      case 'n':
        return row.n;
      case 'ours':
        return row.ours;
      case 'share':
        return Math.max(0, ...row.shares.map(([, share]) => share));
      case 'error':
        return row.error?.max ?? -1;
      default:
        return row.ratios.find(({ peer, form }) => peer === column && !form)?.median ?? -1;
    }
  }

  private get sorted(): readonly RecordedRow[] {
    const { build } = this.chosen;
    const rows = (this.run?.rows ?? []).filter((row) => row.build === build);
    const { column, down } = this.sort;
    if (column === '') return rows;
    const sign = down ? -1 : 1;
    return rows.sort((a, b) => {
      const [x, y] = [this.value(a, column), this.value(b, column)];
      const order = typeof x === 'string' ? x.localeCompare(String(y)) : x - Number(y);
      return sign * order;
    });
  }

  private header(column: string, label: string) {
    const { sort } = this;
    const sorted = sort.column === column;
    return html`<th
      scope="col"
      aria-sort=${sorted ? (sort.down ? 'descending' : 'ascending') : nothing}
    >
      <button
        class="plain"
        type="button"
        title=${words.recorded.sort(label)}
        @click=${() => {
          this.sort = { column, down: sorted ? !sort.down : false };
        }}
      >
        ${label}${sorted ? html`<span aria-hidden="true"> ${sort.down ? '↓' : '↑'}</span>` : nothing}
      </button>
    </th>`;
  }

  private renderTable() {
    const { run } = this;
    if (!run) return nothing;
    const { columns } = words.recorded;
    const { errorNote, sharesNote } = words.recorded;
    return html`<p class="fine">${sharesNote} ${errorNote}</p>
      <div class="scroll tall" tabindex="0" role="region" aria-label=${words.recorded.title}>
        <table class="numbers">
          <thead>
            <tr>
              ${this.header('case', columns.case)} ${this.header('n', columns.n)} ${this.header('ours', columns.ours)}
              ${run.peers.map((peer) => this.header(peer, peer))}
              ${this.header('share', columns.share)} ${this.header('error', columns.error)}
            </tr>
          </thead>
          <tbody>
            ${this.sorted.map(
              (row) => html`<tr>
                <th scope="row">${row.title}</th>
                <td>${row.n}</td>
                <td>${formatNumber(row.ours)}</td>
                ${run.peers.map((peer) => {
                  const found = row.ratios.filter((one) => one.peer === peer);
                  return html`<td>
                    ${
                      found.length === 0
                        ? '–'
                        : found.map(
                            (ratio) => html`<span class="line"
                              >${ratio.form ? `${ratio.form} ` : ''}<strong
                                >${formatNumber(ratio.median)}×</strong
                              >
                              <span class="spread"
                                >${formatNumber(ratio.low)} – ${formatNumber(ratio.high)}</span
                              >
                              <span class="variant">${ratio.variant}</span></span
                            >`,
                          )
                    }
                  </td>`;
                })}
                <td>
                  ${
                    row.shares.length > 0
                      ? row.shares.map(
                          ([name, share]) =>
                            html`<span class="line">${(100 * share).toFixed(0)} % ${name}</span>`,
                        )
                      : '–'
                  }
                </td>
                <td>
                  ${
                    row.error
                      ? html`${formatNumber(row.error.max, 2)}
                          <span class="spread">${formatNumber(row.error.rms, 2)}</span>`
                      : '–'
                  }
                </td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${this.renderCrossovers()}`;
  }

  private renderCrossovers() {
    const { crossovers = [], rows = [] } = this.run ?? {};
    if (crossovers.length === 0) return nothing;
    const said = words.recorded;
    const title = (id: string): string => rows.find((row) => row.id === id)?.title ?? id;
    return html`<h3 id="recorded-crossovers">${said.crossovers}</h3>
      <div class="scroll" tabindex="0" role="region" aria-labelledby="recorded-crossovers">
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">${words.answer.columns.pair}</th>
              <th scope="col">${said.columns.build}</th>
              <th scope="col">${words.answer.columns.measured}</th>
              <th scope="col">${words.answer.columns.predicted}</th>
              <th scope="col">${words.answer.columns.ratio}</th>
            </tr>
          </thead>
          <tbody>
            ${crossovers.map(
              ({ build, linear, softmax, measured, predicted, range }) => html`<tr>
                <th scope="row">${words.answer.pair(title(linear), title(softmax))}</th>
                <td>${said.builds[build] ?? build}</td>
                <td>${measured === null ? said.notIn(range[0], range[1]) : Math.round(measured)}</td>
                <td>${predicted === null ? words.answer.noPrediction : Math.round(predicted)}</td>
                <td>
                  ${
                    measured && predicted
                      ? formatNumber(measured / predicted, 2)
                      : words.answer.noRatio
                  }
                </td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
  }

  override render() {
    const { run } = this;
    const said = words.recorded;
    return html`<div class="wide recorded" aria-busy=${String(!run && !this.missing)}>
      <h2 id="recorded-title">${said.title}</h2>
      <p>${said.intro}</p>
      ${this.missing ? html`<p class="fine">${said.missing}</p>` : nothing}
      ${
        run
          ? html`<div class="picks">
                ${this.renderPick(
                  'length',
                  said.length,
                  run.lengths.map((n) => [String(n), String(n)] as const),
                )}
                ${this.renderPick(
                  'build',
                  said.build,
                  run.builds.map((name) => [name, said.builds[name] ?? name] as const),
                )}
                ${tools({
                  actions: said.actions,
                  of: said.title,
                  status: this.status,
                  link: this.linkToShow,
                  act: (action) => void this.act(action),
                })}
              </div>
              ${this.renderChart()} ${this.renderTable()}`
          : nothing
      }
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'attn-recorded': AttnRecorded;
  }
}
