/** A SCORM package of what the page is set to, made of the site's own files. */

import type { ScormVersion } from '../../src/embed/host/scorm.ts';
import { packageName } from '../../src/embed/package/package-name.ts';
import shell from '../../src/embed/package/shell.ts?script';
import type { AskedPackage, ToldPackage } from './package.worker.ts';
import type { Embedding } from './snippets.ts';

declare const __VERSION__: string;

export interface PackageKind {
  readonly scorm: ScormVersion;
  /** The package holds the lab; otherwise it shows the one of this site. */
  readonly whole: boolean;
}

/** What is packed, as `npm run package` would be told. */
export function optionsOf(
  embedding: Embedding,
  { scorm, whole }: PackageKind,
): AskedPackage['options'] {
  const { site, lab, exercise, step, query, language } = embedding;
  return {
    ...{ scorm, lab, language, query, step, version: __VERSION__ },
    ...(!lab && { exercise }),
    ...(!whole && { remote: site }),
  };
}

export const nameOf = (embedding: Embedding, kind: PackageKind): string =>
  packageName(optionsOf(embedding, kind));

/**
 * @param from where the files are read: the site of this page
 * @param onRead how many files, and bytes of them, have been read
 */
export function makePackage(
  embedding: Embedding,
  kind: PackageKind,
  from: string,
  onRead: (files: number, bytes: number) => void,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    // The page may have been stopped while this file was fetched.
    signal.throwIfAborted();
    const worker = new Worker(new URL('./package.worker.ts', import.meta.url), { type: 'module' });
    // What the worker sent before it was ended may still be waiting: after the end nothing is told.
    const end = (): void => {
      worker.onmessage = null;
      worker.terminate();
    };
    signal.addEventListener('abort', () => {
      end();
      reject(signal.reason);
    });
    worker.onerror = (event) => {
      event.preventDefault();
      end();
      reject(new Error(event.message || 'worker'));
    };
    worker.onmessage = ({ data }: MessageEvent<ToldPackage>) => {
      if ('files' in data) onRead(data.files, data.bytes);
      else {
        end();
        if ('zip' in data) resolve(data.zip);
        else reject(new Error(data.failed));
      }
    };
    const options = optionsOf(embedding, kind);
    worker.postMessage({
      ...{ site: from, options },
      shell: new URL(shell, import.meta.url).href,
    } satisfies AskedPackage);
  });
}
