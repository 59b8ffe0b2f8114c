/** An experiment in which models are trained side by side, each in a worker of its own while it trains. */
import { type Client, type JobTools, Pool, type TrainingSlice } from '#client';
import { LabExperiment } from '../../../src/lab/experiment/experiment.ts';
import type { Ask } from '../../../src/lab/types.ts';
import { type ChartPoint, chartPoint } from '../../../src/plot/chart.ts';
import type { PropertyTable, StateOf } from '../../../src/state/url.ts';
import { arrivals, workerLost } from './arrivals.ts';

/** A learning curve is drawn anew so often, and with so many points. */
const DRAW_MS = 250;
const POINTS = 80;

/**
 * Rows arrive in the order in which the models finish. A run that was stopped, reloaded or lost a worker keeps what
 * was finished, and the next run of the same settings trains only what is missing.
 */
export abstract class LabRace<Entrant, Row, T extends PropertyTable> extends LabExperiment<Row, T> {
  protected override readonly measuresTime = true;
  protected override readonly keepsRows = true;

  /** Who takes part. */
  protected abstract entrants(values: StateOf<T>): readonly Entrant[];
  /** Whether a row is what this entrant came to. */
  protected abstract isOfEntrant(row: Row, entrant: Entrant): boolean;
  /** Trains one of them. */
  protected abstract train(
    client: Client,
    tools: JobTools,
    entrant: Entrant,
    values: StateOf<T>,
    onSlice: (slice: TrainingSlice) => void,
  ): Promise<Row>;
  /** What is written down of one whose worker was lost. */
  protected abstract lostRow(entrant: Entrant): Row;
  protected abstract isLost(row: Row): boolean;
  /** What has to be there before the first one starts. */
  protected prepare(_ask: Ask): Promise<unknown> {
    return Promise.resolve();
  }
  /** A row with what follows from it and the rows before it. */
  protected completed(row: Row, _before: readonly Row[], _ask: Ask): Promise<Row> {
    return Promise.resolve(row);
  }

  /** The learning curves of those that are in training now. */
  protected readonly learning = new Map<Entrant, ChartPoint[]>();
  private drawTimer: ReturnType<typeof setTimeout> | undefined;

  private learned(entrant: Entrant, { points, steps }: TrainingSlice): void {
    const curve = this.learning.get(entrant) ?? [];
    const every = Math.max(1, Math.floor(steps / POINTS));
    for (const { step, loss } of points) {
      if (step % every === 0) curve.push(chartPoint(step + 1, loss));
    }
    this.learning.set(entrant, curve);
    this.drawTimer ??= setTimeout(() => {
      this.drawTimer = undefined;
      this.requestUpdate();
    }, DRAW_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.drawTimer);
    this.drawTimer = undefined;
  }

  /** The rows that need not be made again: those of the newest run of these settings, if it is not complete. */
  private known(values: StateOf<T>): readonly Row[] {
    const newest = this.runs.findLast((run) => this.isOf(run, values));
    if (!newest) return [];
    const kept = newest.rows.filter((row) => !this.isLost(row));
    return newest.finished && kept.length === newest.rows.length ? [] : kept;
  }

  /**
   * All that is known, together: shown one by one, the rows would shrink to one and grow again, and a page that is
   * left meanwhile would keep a newest run with fewer rows than the one before it.
   */
  protected override async beginning(values: StateOf<T>, ask: Ask): Promise<readonly Row[]> {
    await this.prepare(ask);
    const rows: Row[] = [];
    for (const row of this.known(values)) rows.push(await this.completed(row, rows, ask));
    return rows;
  }

  protected override async *sweep(values: StateOf<T>, ask: Ask, begun: readonly Row[]) {
    const all = this.entrants(values);
    const missing = all.filter((one) => !begun.some((row) => this.isOfEntrant(row, one)));
    const before = [...begun];
    const parts = new Map<Entrant, number>();
    const pool = new Pool();
    const jobs = missing.map(async (one): Promise<Row> => {
      try {
        return await pool.run(
          (client, tools) =>
            this.train(client, tools, one, values, (slice) => this.learned(one, slice)),
          {
            signal: ask.signal,
            onProgress: (part) => {
              parts.set(one, part);
              const sum = [...parts.values()].reduce((total, each) => total + each, 0);
              ask.onProgress((begun.length + sum) / all.length);
            },
          },
        );
      } catch (error) {
        if (!workerLost(error) || ask.signal.aborted) throw error;
        return this.lostRow(one);
      } finally {
        this.learning.delete(one);
      }
    });
    try {
      for await (const made of arrivals(jobs)) {
        const row = await this.completed(made, before, ask);
        before.push(row);
        yield { row, fraction: before.length / all.length };
      }
    } finally {
      pool.dispose();
    }
  }
}
