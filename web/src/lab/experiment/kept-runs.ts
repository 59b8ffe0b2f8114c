/** Runs of an experiment that are kept in this browser. */
import { pageStorage } from '../../state/page-host.ts';
import type { KnobValues } from '../types';

/** One run, finished or stopped. */
export interface Run<Row> {
  readonly v: 1;
  /** The time at which it began; this is the run's name. */
  readonly time: string;
  readonly values: KnobValues;
  readonly rows: readonly Row[];
  /** Whether it ran to its end. */
  readonly finished: boolean;
  readonly version: string;
  /** Where times were measured. */
  readonly machine: string;
}

const saved = pageStorage();
const keyOf = (lab: string, figure: string, time: string): string => `run/${lab}/${figure}/${time}`;

export async function keptRuns<Row>(lab: string, figure: string): Promise<readonly Run<Row>[]> {
  const found = await saved.keys();
  if (!found.ok) return [];
  const prefix = keyOf(lab, figure, '');
  const runs: Run<Row>[] = [];
  for (const key of found.value.filter((one) => one.startsWith(prefix)).sort()) {
    const kept = await saved.load(key);
    if (kept.ok && isRun<Row>(kept.value)) runs.push(kept.value);
  }
  return runs;
}

/** Empty, or the reason why the run cannot be kept. */
export async function keepRun<Row>(lab: string, figure: string, run: Run<Row>): Promise<string> {
  const kept = await saved.save(keyOf(lab, figure, run.time), run);
  return kept.ok ? '' : kept.reason;
}

export async function removeRun(lab: string, figure: string, time: string): Promise<void> {
  await saved.remove(keyOf(lab, figure, time));
}

/** Another version of this page may have kept something else. */
function isRun<Row>(value: unknown): value is Run<Row> {
  const run = value as Run<Row> | null;
  return (
    typeof run === 'object' &&
    run?.v === 1 &&
    typeof run.time === 'string' &&
    typeof run.values === 'object' &&
    Array.isArray(run.rows)
  );
}
