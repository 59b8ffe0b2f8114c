// The texts that the models of web/models are trained on, as the training program reads them.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { root, Stop } from '../../wasm/tools/process.mjs';

const hash = (data) => createHash('sha256').update(data).digest('hex');

/** One of so many sections of each text is never trained on. */
const EVERY = 20;
const FIRST = 7;

/** One text in `folder`, unpacked. It has to be the one whose hash `source` states. */
function unpacked(folder, source, file) {
  const text = brotliDecompressSync(readFileSync(join(root, folder, file)));
  if (hash(text) !== source.sha256)
    throw new Stop(`${folder}/${file} holds another text than its source.json says`);
  return {
    name: file.replace('.txt.br', ''),
    title: source.title,
    from: source.from,
    sha256: source.sha256,
    text: text.toString(),
  };
}

const QUOTES = { '“': '"', '”': '"', '’': "'", '‘': "'", '–': '-', '‒': '-' };

/** Printable ASCII, line ends and the long dash: letters lose their accents, and other alphabets are left out. */
const plain = (text) =>
  text
    .replace(/[“”’‘–‒]/g, (mark) => QUOTES[mark])
    .replace(/[Œœ]/g, (letter) => (letter === 'Œ' ? 'Oe' : 'oe'))
    .normalize('NFD')
    .replace(/[^\n\f\x20-\x7e—]/g, '');

function sources() {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  return [
    unpacked('web/book', read('web/book/source.json'), 'moby-dick.txt.br'),
    ...read('web/models/texts/source.json').map((source) =>
      unpacked('web/models/texts', source, source.file),
    ),
  ];
}

/**
 * Writes `training.txt` and `held-out/*.txt` into `folder`. What the texts are, where from, and the hashes of what was
 * written: a model is trained on the very same.
 */
export function writeTexts(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'held-out'), { recursive: true });
  const training = [];
  const about = [];
  for (const { name, title, from, sha256, text } of sources()) {
    const sections = plain(text).split('\f');
    const kept = sections.filter((_, i) => i % EVERY === FIRST);
    const given = sections.filter((_, i) => i % EVERY !== FIRST);
    training.push(...given);
    writeFileSync(join(folder, 'held-out', `${name}.txt`), kept.join('\f'));
    about.push({
      name,
      title,
      from,
      sha256,
      sections: given.length,
      characters: given.join('').length,
      heldOut: kept.map((section) => section.slice(0, section.indexOf('\n'))),
    });
  }
  const whole = training.join('\n\n\n');
  writeFileSync(join(folder, 'training.txt'), whole);
  return { texts: about, training: { characters: whole.length, sha256: hash(whole) } };
}
