/** Tests that the book is the one whose hash the repository states, and that no other is taken for it. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { chaptersOf } from '../../web/labs/complexity/figures/race/texts.ts';
import { bookIn } from '../../web/plugins/book.ts';

const shelf = fileURLToPath(new URL('../../web/book', import.meta.url));

test('the book has its chapters in their order, and an epilogue', () => {
  const { titles, sections } = chaptersOf(bookIn(shelf).toString('utf8'));
  const numbers = titles.map((title) => /^Chapter (\d+)\. \S/.exec(title)?.[1]).filter(Boolean);
  expect(numbers).toEqual(Array.from({ length: 135 }, (_, i) => String(i + 1)));
  expect(titles.filter((title) => !title.startsWith('Chapter '))).toEqual([
    ...['Etymology', 'Extracts', 'Epilogue'],
  ]);
  expect(sections[titles.indexOf('Chapter 1. Loomings')]).toContain('Call me Ishmael.');
});

test('another text is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'attn-book-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(shelf, folder, { recursive: true });
  writeFileSync(join(folder, 'moby-dick.txt.br'), brotliCompressSync('Call me Ahab.'));
  expect(() => bookIn(folder)).toThrow(
    /holds another text: its SHA-256 is [0-9a-f]{64}; wanted: 9e27/,
  );
});
