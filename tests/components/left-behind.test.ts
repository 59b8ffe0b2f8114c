/**
 * What a figure makes in a worker, such as caches, streams and models, it gives back: every figure of every lab is run
 * once, as short as its knobs allow, and leaves the page. The core counts what is left.
 */
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import '../../web/src/styles/bench.css';
import { type Client, createClient, Pool } from '../../wasm/client';
import type { FigurePlace, Lab, LabData } from '../../web/src/lab/types';
import { closeTrained } from '../../web/src/models/on-page';
import { figuresBelow, LABS, loadOpening } from '../lab-figures';
import { labFigure } from './lab-figure';

/** Knobs that say how long a run is, by their names, and what is set. A figure that lacks them keeps its own. */
const SHORT = {
  ...{ steps: '150', seeds: 1, patience: 1, length: '4096', cache: '8', largest: '1024' },
  ...{ rounds: '3', draws: 1, n: '4096', most: 16 },
};

/** A figure as a test drives it. Its knobs are there once it is connected; only figures with a button run. */
type Driven = HTMLElement & {
  readonly table?: Readonly<
    Record<string, { kind: string; values?: readonly unknown[]; min?: number }>
  >;
  readonly running?: boolean;
  readonly labData?: LabData | undefined;
  set?(values: object): void;
};

/** What jobs left in the workers of their pools. */
const leftByJobs: unknown[] = [];
let jobs = 0;
const { run } = Pool.prototype;
vi.spyOn(Pool.prototype, 'run').mockImplementation(function (this: Pool, job, options) {
  return run.call(
    this,
    async (worker, tools) => {
      const made = await job(worker, tools);
      jobs++;
      leftByJobs.push(...(await worker.aliveObjects()));
      return made;
    },
    options,
  ) as never;
});

let client: Client | undefined;
const theClient = (): Client => {
  client ??= createClient({ module: 'full', warmUp: false });
  return client;
};
afterEach(() => {
  leftByJobs.length = 0;
});
afterAll(() => client?.dispose());

function shorten(figure: Driven): void {
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(SHORT)) {
    const knob = figure.table?.[name];
    if (!knob) continue;
    const offered = knob.values ? knob.values.includes(value) : typeof value === 'number';
    if (offered) values[name] = knob.min === undefined ? value : Math.max(knob.min, Number(value));
    else if (name === 'steps' && knob.min !== undefined) values[name] = knob.min;
  }
  if (Object.keys(values).length > 0) figure.set?.(values);
}

async function openingWithData(
  lab: Lab,
  made: (setting: object, place: FigurePlace) => Driven,
): Promise<Driven | undefined> {
  await loadOpening(lab);
  const { labData } = document.createElement(lab.opening.tag) as Driven;
  return labData && made({ place: lab.opening, opening: true }, lab.opening);
}

async function runOnce(lab: Lab, place: FigurePlace, opening: boolean): Promise<void> {
  if (opening) await loadOpening(lab);
  else await place.load?.();
  const made = (setting: object, { tag } = place): Driven =>
    labFigure(tag as keyof HTMLElementTagNameMap, {
      ...{ client: theClient(), lab: lab.id, place: { ...place, tag }, ...setting },
    }) as unknown as Driven;
  // A figure that shows the opening's data has the opening beside it, as on the page.
  const beside = opening ? undefined : await openingWithData(lab, made);
  const figure = made({ opening, beside });
  await vi.waitFor(
    () => expect(figure.querySelector('button.primary') ?? figure.dataset.drawn).toBeDefined(),
    { timeout: 60_000 },
  );
  const start = figure.querySelector<HTMLButtonElement>('button.primary');
  if (start && figure.running !== undefined) {
    shorten(figure);
    start.click();
    expect(figure.running).toBe(true);
    await vi.waitFor(() => expect(figure.running).toBe(false), { timeout: 240_000, interval: 50 });
    expect(figure.querySelector('[role=alert]')?.textContent ?? '').toBe('');
  }
  figure.remove();
  beside?.remove();
}

describe.each(LABS)('the lab $id', (lab) => {
  const places = [lab.opening, ...figuresBelow(lab)];
  it.each(places.map((place, at) => ({ place, at, id: place.id })))(
    'leaves nothing behind after the figure $id',
    async ({ place, at }) => {
      await runOnce(lab, place, at === 0);
      // The trained models are the page's, for all its figures; nothing else may be left.
      await closeTrained(theClient());
      // Giving back is a call like any other: this one comes after it.
      await vi.waitFor(async () => expect(await theClient().aliveObjects()).toEqual([]));
      expect(leftByJobs).toEqual([]);
    },
    300_000,
  );
});

it('has looked into the workers in which models are trained', () => {
  expect(jobs).toBeGreaterThan(3);
});
