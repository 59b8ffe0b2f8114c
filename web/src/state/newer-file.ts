/** Saves a record of a newer version of this page as a file that the newer version can open. */
import { PROGRESS_FORMAT } from '../exercises/kept-work.ts';
import { download, safeFileName } from '../export/download.ts';
import { RECORD_VERSION } from './newer.ts';

/** @returns the name of the file */
export function saveNewer(what: string, part: 'works' | 'labs', record: unknown): string {
  const file = {
    ...{ format: PROGRESS_FORMAT, v: RECORD_VERSION, time: new Date().toISOString() },
    ...{ works: [], [part]: [record] },
  };
  const name = `${safeFileName(`${what}-newer-version`)}.json`;
  download(name, new Blob([`${JSON.stringify(file, null, 2)}\n`], { type: 'application/json' }));
  return name;
}
