/** The files that the sandbox needs. Each is fetched once and kept. */

import interpreterAddress from '@micropython/micropython-webassembly-pyscript/micropython.wasm?url';
import { chooseBuild } from '../../../../wasm/client/capabilities';
import { say } from '../phrases';
import javaScriptAddress from './javascript.worker.ts?script';
import pythonAddress from './python.worker.ts?script';
import { type RunnableLanguage, SandboxError } from './types';

const engines = import.meta.glob<string>('../../../../build/wasm/simd/arrays.wasm', {
  query: '?url',
  import: 'default',
  eager: true,
});

/**
 * The address of the array engine, which has one build. `chooseBuild` throws a plain sentence where the browser lacks
 * what that build needs.
 */
function engineAddress(): string {
  chooseBuild();
  const [found] = Object.values(engines);
  if (!found) throw new SandboxError('load', say('sandbox_no_engine'));
  return found;
}

async function fetched<Body>(
  address: string,
  read: (response: Response) => Promise<Body>,
): Promise<Body> {
  let response: Response;
  try {
    response = await fetch(address);
  } catch {
    throw new SandboxError('load', say('sandbox_offline'));
  }
  if (!response.ok) {
    throw new SandboxError('load', say('sandbox_not_found', { address, status: response.status }));
  }
  return read(response);
}

/** Runs `make` once and keeps its result. After a failure the next call tries again. */
function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

const bytes = (response: Response): Promise<ArrayBuffer> => response.arrayBuffer();
const text = (response: Response): Promise<string> => response.text();

/** The bytes of the array engine. The page's judge uses them too. */
export const engineBytes = once(async () => fetched(engineAddress(), bytes));
const interpreterBytes = once(() => fetched(interpreterAddress, bytes));
const scripts: Readonly<Record<RunnableLanguage, () => Promise<string>>> = {
  javascript: once(() => fetched(javaScriptAddress, text)),
  python: once(() => fetched(pythonAddress, text)),
};

export interface Assets {
  readonly script: string;
  readonly arrays: ArrayBuffer;
  readonly interpreter?: ArrayBuffer;
}

export async function assetsFor(language: RunnableLanguage): Promise<Assets> {
  const [script, arrays, interpreter] = await Promise.all([
    scripts[language](),
    engineBytes(),
    language === 'python' ? interpreterBytes() : undefined,
  ]);
  return { script, arrays, ...(interpreter && { interpreter }) };
}
