/** What the figures of a page share. */
import type { Client } from '#client';
import { theCore } from '../../core.ts';
import type { LabData, LabTools } from '../types';

/** By web/vite.config.ts, from package.json. */
declare const __VERSION__: string;

export const version = typeof __VERSION__ === 'string' ? __VERSION__ : '';

export function createTools(
  lab: string,
  data: () => LabData | undefined = () => undefined,
  client: Client = theCore(),
  lang?: 'en',
): LabTools {
  return {
    lab,
    client,
    lang,
    version,
    get data() {
      return data();
    },
  };
}
