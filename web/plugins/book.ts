import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const NAME = 'virtual:book';
const RESOLVED = `\0${NAME}`;

/** The text in `folder`, unpacked. It has to be the text whose hash `source.json` there states. */
export function bookIn(folder: string): Buffer {
  const packed = join(folder, 'moby-dick.txt.br');
  const { sha256 } = JSON.parse(readFileSync(join(folder, 'source.json'), 'utf8')) as {
    readonly sha256: string;
  };
  const text = brotliDecompressSync(readFileSync(packed));
  const found = createHash('sha256').update(text).digest('hex');
  if (found !== sha256) {
    throw new Error(`${packed} holds another text: its SHA-256 is ${found}; wanted: ${sha256}`);
  }
  return text;
}

/**
 * The book that Lab 1 reads, as one text file that is fetched when somebody asks for it: chapters are separated by
 * form feeds, and the first line of each is its title. Splitting this takes the page a fraction of the time that JSON
 * would. The repository holds it compressed (`web/book/`); where it is from, `source.json` says.
 */
export function book(repository: string): Plugin {
  const folder = join(repository, 'node_modules/.cache/attention-labs/book');
  return {
    name: 'book',
    resolveId: (id) => (id === NAME ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined;
      const text = bookIn(join(repository, 'web/book'));
      mkdirSync(folder, { recursive: true });
      const file = join(folder, 'moby-dick.txt');
      writeFileSync(file, text);
      return `import address from ${JSON.stringify(`${file}?url`)};
export const book = { address, bytes: ${text.length}, zipped: ${gzipSync(text).length} };`;
    },
  };
}
