/** One step of training with each length of a segment: what the trainer counts. */
import { type CheckpointPlan, type Client, LanguageModel, type StepWork } from '#client';
import type { Ask } from '../../../../src/lab/types.ts';

export const BATCH = 4;
export const WIDTH = 32;
const VOCABULARY = 32;
/** The most that one call may take, in milliseconds. */
const CALL_MS = 1000;

export interface OneStep {
  /** Layers in a segment; 0: everything is kept. */
  readonly segment: number;
  readonly work: StepWork;
  readonly milliseconds: number;
  readonly loss: number;
}

export interface Stack {
  readonly steps: readonly OneStep[];
  /** By formula, for the same sizes of a layer and of its input. */
  readonly plan: CheckpointPlan;
}

async function oneStep(
  client: Client,
  layers: number,
  length: number,
  segment: number,
  { signal }: Pick<Ask, 'signal'>,
): Promise<OneStep> {
  const options = {
    ...{ vocabulary: VOCABULARY, dModel: WIDTH, layers, length, feedForward: 2 * WIDTH, seed: 1 },
    mixers: [{ id: 'softmax', heads: 4 }],
  };
  const model = await LanguageModel.create(client, options, { signal });
  try {
    await model.start(
      {
        task: { kind: 'markov', vocabulary: VOCABULARY, length },
        ...{ steps: 1, batch: BATCH, slice: BATCH, checkpointEvery: segment },
      },
      { signal },
    );
    let [milliseconds, loss] = [0, Number.NaN];
    for (let done = false; !done; ) {
      const slice = await model.advance({ milliseconds: CALL_MS }, { signal });
      milliseconds += slice.milliseconds;
      loss = slice.points.at(-1)?.loss ?? loss;
      done = slice.done;
    }
    return { segment, work: await model.stepWork({ signal }), milliseconds, loss };
  } finally {
    await model.dispose();
  }
}

/** All segments, the whole stack kept first. */
export async function trainStack(
  client: Client,
  layers: number,
  length: number,
  ask: Ask,
): Promise<Stack> {
  const steps: OneStep[] = [];
  for (let segment = 0; segment <= layers; segment++) {
    steps.push(await oneStep(client, layers, length, segment, ask));
    ask.onProgress((segment + 1) / (layers + 1));
  }
  const { work } = steps[1] ?? (steps[0] as OneStep);
  const plan = await client.checkpointPlan(
    {
      ...{ layers, segment: 1, lastSegmentKept: true },
      ...{ numbersPerLayer: work.largestLayer, numbersPerInput: work.layerInput },
    },
    { signal: ask.signal },
  );
  return { steps, plan };
}
