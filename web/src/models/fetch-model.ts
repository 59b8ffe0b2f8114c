/** The file of a trained model, fetched when somebody asks for it. */

/** What a model's log says of its file: it is the one that the log is of. */
export interface ModelFile {
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** Why there is no model: nothing could be fetched, or it is another file than the log is of. */
export class ModelError extends Error {
  constructor(
    readonly reason: 'missing' | 'other',
    message: string,
  ) {
    super(message);
  }
}

export interface Fetching {
  /** Stops it: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** How much is there, 0 … 1. */
  readonly progress?: (share: number) => void;
}

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes of a response, as many as there should be. */
async function wholeOf(
  body: ReadableStream<Uint8Array>,
  bytes: number,
  progress?: (share: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(bytes);
  const other = (seen: number): ModelError =>
    new ModelError('other', `${seen} bytes; wanted: ${bytes}`);
  let at = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (at + value.length > bytes) {
      await reader.cancel();
      throw other(at + value.length);
    }
    whole.set(value, at);
    at += value.length;
    progress?.(at / bytes);
  }
  if (at < bytes) throw other(at);
  return whole;
}

/**
 * Fetches a model's file. Its hash is compared where the page has the means (browsers give them to pages that came by
 * https and from this machine), its size everywhere.
 * @throws ModelError
 */
export async function fetchModel(
  address: string,
  file: ModelFile,
  { signal, progress }: Fetching = {},
): Promise<Uint8Array<ArrayBuffer>> {
  signal?.throwIfAborted();
  let whole: Uint8Array<ArrayBuffer>;
  try {
    const response = await fetch(address, signal ? { signal } : {});
    if (!response.ok || !response.body) {
      throw new ModelError('missing', `${address}: ${response.status}`);
    }
    whole = await wholeOf(response.body, file.bytes, progress);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ModelError) throw error;
    throw new ModelError('missing', `${address}: ${error}`);
  }
  if (globalThis.crypto?.subtle) {
    const found = await sha256Of(whole);
    if (found !== file.sha256) {
      throw new ModelError('other', `SHA-256 ${found}; wanted: ${file.sha256}`);
    }
  }
  signal?.throwIfAborted();
  return whole;
}
