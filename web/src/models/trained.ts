/**
 * The models that `npm run train` has made, each with its tokens. Nothing is fetched before `openTrained` is called, and
 * no page imports this module for its opening.
 */
import { type Client, LanguageModel, Tokenizer } from '#client';
import { file as causalSmall } from '../../models/causal-small.json';
import causalSmallLog from '../../models/causal-small.json?url';
import causalSmallAddress from '../../models/causal-small.safetensors?url';
import { file as maskedSmall } from '../../models/masked-small.json';
import maskedSmallLog from '../../models/masked-small.json?url';
import maskedSmallAddress from '../../models/masked-small.safetensors?url';
import { file as reader } from '../../models/reader.json';
import readerLog from '../../models/reader.json?url';
import readerAddress from '../../models/reader.safetensors?url';
import { type Fetching, fetchModel, type ModelFile } from './fetch-model.ts';

interface TrainedModel extends ModelFile {
  readonly address: string;
  /** Where its log is: how it was made, its losses, what its heads do. */
  readonly log: string;
}

export const trainedModels = {
  /** Four layers, trained on repeats first and then on text. */
  reader: { ...reader, address: readerAddress, log: readerLog },
  /** Two layers that see what is before a token. */
  'causal-small': { ...causalSmall, address: causalSmallAddress, log: causalSmallLog },
  /** Two layers that see both sides, and say what was hidden behind the last token of the vocabulary. */
  'masked-small': { ...maskedSmall, address: maskedSmallAddress, log: maskedSmallLog },
} as const satisfies Readonly<Record<string, TrainedModel>>;

export type TrainedName = keyof typeof trainedModels;

export interface Trained {
  readonly model: LanguageModel;
  readonly tokenizer: Tokenizer;
}

/** The model and the tokenizer of a file that `npm run train` wrote. Whoever opens them disposes of both. */
export async function openModelFile(client: Client, file: Uint8Array): Promise<Trained> {
  const model = await LanguageModel.open(client, { file });
  try {
    return { model, tokenizer: await Tokenizer.open(client, { file }) };
  } catch (error) {
    await model.dispose();
    throw error;
  }
}

/**
 * Fetches a model and makes it in the worker of `client`.
 * @throws ModelError of `fetchModel`, and the signal's reason once it is aborted
 */
export async function openTrained(
  client: Client,
  name: TrainedName,
  fetching: Fetching = {},
): Promise<Trained> {
  const source = trainedModels[name];
  return openModelFile(client, await fetchModel(source.address, source, fetching));
}
