/** How one model of the frontier is trained on recall. */
import { type Client, type JobTools, LanguageModel, type TrainingSlice, train } from '#client';
import {
  type Model,
  modelOptions,
  type Rate,
  TASKS,
  type TaskSize,
  trainingOptions,
} from './models.ts';

export interface Trained {
  readonly accuracy: number;
  readonly loss: number;
  readonly chance: number;
  readonly stateBytes: number;
  readonly parameters: number;
  readonly seconds: number;
}

/** Trains one model with one seed and asks it on data that it has not seen. */
export async function trainOne(
  client: Client,
  tools: JobTools,
  one: Model,
  size: TaskSize,
  rate: Rate,
  seed: number,
  onSlice?: (slice: TrainingSlice) => void,
): Promise<Trained> {
  const model = await LanguageModel.create(client, modelOptions(one, size, seed));
  const start = performance.now();
  const { chanceAccuracy } = await model.start(trainingOptions(size, rate, seed));
  await train(model, tools, onSlice ? { onSlice } : {});
  await tools.turn();
  const seconds = (performance.now() - start) / 1000;
  const { accuracy, loss } = await model.evaluate({ batches: 16 });
  const parameters = (await model.info()).parameters;
  const stateBytes = await model.stateBytes(TASKS[size].length);
  await model.dispose();
  return { accuracy, loss, chance: chanceAccuracy, stateBytes, parameters, seconds };
}
