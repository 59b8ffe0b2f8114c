/** What the figures of a page share; the whole core comes when one of them first asks for it. */
import { createClient, type SmallClient } from '#client';
import type { FullClient } from '#client/full';
import type { LabData, LabTools } from './types';

/** By web/vite.config.ts, from package.json. */
declare const __VERSION__: string;

export const version = typeof __VERSION__ === 'string' ? __VERSION__ : '';

export interface OwnedTools extends LabTools {
  dispose(): void;
}

export function createTools(
  lab: string,
  data: () => LabData | undefined = () => undefined,
  client: SmallClient = createClient(),
): OwnedTools {
  let full: Promise<FullClient> | undefined;
  return {
    lab,
    client,
    version,
    get data() {
      return data();
    },
    full: () => {
      full ??= import('./full.ts').then(
        ({ createFullClient }) => createFullClient(),
        (error: unknown) => {
          // The network may be back when it is asked for again.
          full = undefined;
          throw error;
        },
      );
      return full;
    },
    dispose: () => {
      client.dispose();
      void full?.then((core) => core.dispose()).catch(() => undefined);
    },
  };
}
