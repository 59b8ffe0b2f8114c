/** Reads the visitor's files in a worker, and on the page in slices where no worker starts. */
import type { Wording } from '#client/phrases';
import { ImportError } from './error.js';
import type { ReadMatrix } from './matrix-file.js';

/** A question to the worker. */
export interface Asked {
  readonly question: number;
  readonly file: Blob;
  readonly name: string;
  readonly reading?: string | undefined;
  readonly letter?: string | undefined;
}

/** Its answer. */
export type Told = { readonly question: number } & (
  | { readonly read: ReadMatrix; readonly refused?: never; readonly failed?: never }
  | {
      readonly refused: { readonly seen: Wording; readonly wanted: Wording };
      readonly read?: never;
      readonly failed?: never;
    }
  | { readonly failed: string; readonly read?: never; readonly refused?: never }
);

interface Waiting {
  readonly resolve: (read: ReadMatrix) => void;
  readonly reject: (error: unknown) => void;
}

let worker: Worker | undefined;
/** No worker starts here: a frame without an origin, or a policy that forbids it. */
let without = false;
let questions = 0;
const waiting = new Map<number, Waiting>();

class NoWorker extends Error {}

function started(): Worker {
  if (worker) return worker;
  try {
    worker = new Worker(new URL('./worker.ts', import.meta.url), {
      type: 'module',
      name: 'files',
    });
  } catch {
    throw new NoWorker();
  }
  worker.onmessage = ({ data }: MessageEvent<Told>) => {
    const asked = waiting.get(data.question);
    waiting.delete(data.question);
    if (data.read) asked?.resolve(data.read);
    else if (data.refused) {
      asked?.reject(new ImportError(data.refused.seen, data.refused.wanted));
    } else asked?.reject(new Error(data.failed));
  };
  worker.onerror = (event) => {
    event.preventDefault();
    worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new NoWorker());
    waiting.clear();
  };
  return worker;
}

function inWorker(asked: Omit<Asked, 'question'>): Promise<ReadMatrix> {
  const question = ++questions;
  return new Promise((resolve, reject) => {
    const files = started();
    waiting.set(question, { resolve, reject });
    files.postMessage({ question, ...asked } satisfies Asked);
  });
}

/** The matrix of a file. Rejects with `ImportError` for what cannot be read. */
export async function readFile(
  file: Blob,
  name: string,
  options: { readonly reading?: string | undefined; readonly letter?: string | undefined } = {},
): Promise<ReadMatrix> {
  if (!without) {
    try {
      return await inWorker({ file, name, ...options });
    } catch (error) {
      if (!(error instanceof NoWorker)) throw error;
      without = true;
    }
  }
  const { readMatrixFile } = await import('./matrix-file.js');
  return readMatrixFile(file, name, options);
}
