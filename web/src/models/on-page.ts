/** The trained models of a page: each is fetched once for a page, whoever asks first, and stays in the worker. */
import type { Client, LanguageModelOptions } from '#client';
import { CoreError, LanguageModel } from '#client';
import type { Trained, TrainedName } from './trained.ts';

interface Fetched {
  readonly bytes: Promise<Uint8Array>;
  readonly stop: AbortController;
  share: number;
  waiting: number;
  readonly listeners: Set<(share: number) => void>;
}

const fetched = new Map<TrainedName, Fetched>();
const opened = new WeakMap<Client, Map<TrainedName, Promise<Trained>>>();

async function begin(name: TrainedName, into: Omit<Fetched, 'bytes'>): Promise<Uint8Array> {
  const [{ trainedModels }, { fetchModel }] = await Promise.all([
    import('./trained.ts'),
    import('./fetch-model.ts'),
  ]);
  const source = trainedModels[name];
  return fetchModel(source.address, source, {
    signal: into.stop.signal,
    progress: (share) => {
      into.share = share;
      for (const tell of into.listeners) tell(share);
    },
  });
}

/** The file. It goes on arriving while the reader moves knobs, and ends when nobody waits for it any more. */
async function fileOf(
  name: TrainedName,
  signal: AbortSignal,
  tell: (share: number) => void,
): Promise<Uint8Array> {
  let file = fetched.get(name);
  if (!file) {
    const begun = {
      stop: new AbortController(),
      share: 0,
      waiting: 0,
      listeners: new Set<(share: number) => void>(),
    };
    file = Object.assign(begun, { bytes: begin(name, begun) });
    fetched.set(name, file);
    // What failed or was stopped is tried anew by the next who asks.
    file.bytes.catch(() => fetched.delete(name));
  }
  const { bytes, listeners, stop } = file;
  const mine = file;
  mine.waiting++;
  listeners.add(tell);
  tell(mine.share);
  try {
    return await new Promise<Uint8Array>((done, refused) => {
      signal.addEventListener('abort', () => refused(signal.reason), { once: true });
      bytes.then(done, refused);
    });
  } finally {
    mine.waiting--;
    listeners.delete(tell);
    // The next question of the same figure comes in the same task, or a little later.
    setTimeout(() => {
      if (mine.waiting === 0 && mine.share < 1) stop.abort();
    }, 100);
  }
}

/**
 * A trained model and its tokens, for all figures of the page: do not dispose of it.
 * @throws ModelError where it does not arrive, and the signal's reason once it is aborted
 */
export async function trained(
  client: Client,
  name: TrainedName,
  {
    signal,
    onProgress,
  }: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
): Promise<Trained> {
  signal.throwIfAborted();
  const models = opened.get(client) ?? new Map<TrainedName, Promise<Trained>>();
  opened.set(client, models);
  let model = models.get(name);
  if (!model) {
    const file = await fileOf(name, signal, onProgress);
    const { openModelFile } = await import('./trained.ts');
    model = models.get(name) ?? openModelFile(client, file);
    models.set(name, model);
    model.catch(() => models.delete(name));
  }
  return model;
}

/** Gives back all models of a client; a figure that asks again opens its own anew. */
export async function closeTrained(client: Client): Promise<void> {
  const models = [...(opened.get(client)?.values() ?? [])];
  opened.delete(client);
  for (const one of models) {
    const { model, tokenizer } = await one;
    await Promise.all([model.dispose(), tokenizer.dispose()]);
  }
}

/** Asks a model; where the core was restarted meanwhile the model is made anew when it is asked for again. */
export async function ofModel<T>(
  client: Client,
  name: TrainedName,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CoreError && error.code === 'gone') opened.get(client)?.delete(name);
    throw error;
  }
}

/** What a log of `npm run train` says, as far as figures read it. */
export interface ModelLog {
  readonly options: Readonly<Record<string, string>>;
  readonly parameters: number;
  /** Which sections of each text were kept from the training. */
  readonly texts: readonly { readonly name: string; readonly heldOut: readonly string[] }[];
  readonly heads: {
    readonly names: readonly {
      readonly layer: number;
      readonly head: number;
      readonly name: string;
      readonly candidate: string;
      readonly chosen: { readonly score: number; readonly gain: number };
      readonly heldOut: { readonly score: number; readonly gain: number };
    }[];
  };
}

const logs = new Map<TrainedName, Promise<ModelLog>>();

export function logOf(name: TrainedName): Promise<ModelLog> {
  const known = logs.get(name);
  if (known) return known;
  const log = import('./trained.ts')
    .then(({ trainedModels }) => fetch(trainedModels[name].log))
    .then((answer) => answer.json() as Promise<ModelLog>);
  logs.set(name, log);
  log.catch(() => logs.delete(name));
  return log;
}

/** How the model of a log is built, for a model of the same shape that has learned nothing. */
export function shapeOf({ options }: ModelLog): LanguageModelOptions {
  const said = (name: string): number => Number(options[`model.${name}`]);
  return {
    vocabulary: said('vocabulary'),
    dModel: said('d_model'),
    layers: said('layers'),
    length: said('length'),
    mixers: [{ id: 'softmax', heads: said('mixer.0.heads'), parameters: { rotary: 1 } }],
    positions: said('positions') === 1,
    embeddingSize: said('embedding_size'),
    feedForward: said('feed_forward'),
    tied: said('tied') === 1,
  };
}

/** A model of the same shape that has learned nothing. Whoever asks disposes of it. */
export async function untrained(
  client: Client,
  name: TrainedName,
  seed: number,
  signal: AbortSignal,
): Promise<LanguageModel> {
  return LanguageModel.create(client, { ...shapeOf(await logOf(name)), seed }, { signal });
}
