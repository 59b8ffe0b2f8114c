/**
 * Makes the labs' pages from their data and words, so that they can be read before any script runs, makes modules of
 * the Markdown that the words are written in, and renders the TeX in words, so that neither Markdown-it nor KaTeX is
 * ever sent.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { Plugin } from 'vite';
import type { Moved } from '../src/lab/page/moved.ts';
import { closing, type PageWords, pageWords } from '../src/lab/page/page-words.ts';
import { exercisesIn, questionsIn } from '../src/lab/page/step-progress.ts';
import { displayTexOf } from '../src/lab/text/display-tex.ts';
import type { Lab, LabWords, OpeningWords } from '../src/lab/types.ts';
import type { EnglishFirst, LanguageId } from '../src/strings/language.ts';
import { renderTex } from './formulas.ts';
import { importModules } from './import-modules.ts';
import {
  escapeHtml,
  inEach,
  switchOf,
  whereElsewhere,
  whereEnglishInPart,
} from './in-each-language.ts';
import {
  checkWords,
  figuresIn,
  type ParsedWords,
  parseWords,
  textsIn,
  withEnglish,
} from './lab-words.ts';

const LANGUAGES = Object.keys(pageWords) as LanguageId[];

/** A step as the page for instructors lists it. */
export interface ListedStep {
  readonly id: string;
  readonly title: string;
  /** It has a question. */
  readonly asks: boolean;
  /** Set when the title is still in English on a page of another language. */
  readonly lang?: 'en';
}

export interface ReadLab {
  readonly lab: Lab;
  readonly opening: EnglishFirst<OpeningWords>;
  readonly words: EnglishFirst<LabWords>;
}

/** Words of figures, which may hold TeX. */
const isWords = (id: string): boolean =>
  /\/web\/(?:labs|src\/figures)\/[^/]+\/words\/.+\.ts$/.test(id.split(sep).join('/'));

/** The folders below `web/labs/` that hold a lab. */
export const labFolders = (web: string): readonly string[] => {
  const folder = join(web, 'labs');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((id) => existsSync(join(folder, id, 'lab.ts')));
};

/** All labs, as the site would bundle them, in the order of the course. */
async function readLabs(web: string): Promise<readonly ReadLab[]> {
  const ids = labFolders(web);
  const file = (id: string, name: string): string => join(web, 'labs', id, name);
  const modules = await importModules(ids.map((id) => file(id, 'lab.ts')));
  return ids
    .map((id): ReadLab => {
      const lab = modules.get(file(id, 'lab.ts'))?.lab as Lab | undefined;
      if (!lab) throw new Error(`web/labs/${id}/lab.ts does not export 'lab'`);
      if (lab.id !== id) throw new Error(`web/labs/${id}/lab.ts says its id is '${lab.id}'`);
      const read = (language: LanguageId): ParsedWords => {
        const path = file(id, `words/${language}.md`);
        const parsed = parseWords(readFileSync(path, 'utf8'), path);
        checkWords(parsed, lab, language === 'en');
        return parsed;
      };
      const english = read('en');
      const opening: Partial<Record<LanguageId, OpeningWords>> = {};
      const words: Partial<Record<LanguageId, LabWords>> = {};
      for (const one of LANGUAGES) {
        const there = existsSync(file(id, `words/${one}.md`));
        if (there !== one in lab.words) {
          const [has, lacks] = there
            ? [`words/${one}.md`, 'lab.ts']
            : ['lab.ts', `words/${one}.md`];
          throw new Error(
            `web/labs/${id} is in '${one}' only in part: ${has} has it, ${lacks} lacks it; wanted: the file and its key in 'words' of lab.ts, or neither`,
          );
        }
        if (!there) continue;
        const own = one === 'en' ? english : read(one);
        opening[one] = own.opening;
        words[one] = one === 'en' ? own.words : withEnglish(own.words, english.words);
      }
      return { lab, opening: opening as ReadLab['opening'], words: words as ReadLab['words'] };
    })
    .sort((a, b) => a.lab.number - b.lab.number);
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

function* strings(node: Node): Generator<string> {
  if (node.type === 'Literal' && typeof node.value === 'string') yield node.value;
  if (node.type === 'TemplateElement') {
    const { cooked, raw } = node.value as { cooked?: string | null; raw: string };
    yield cooked ?? raw;
    // In a `String.raw` template the text is that of the source.
    if (raw !== cooked) yield raw;
  }
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof (child as Node | null)?.type === 'string') yield* strings(child as Node);
    }
  }
}

/** Every string of a program, as it is written. */
export const stringsIn = (program: object): Iterable<string> => strings(program as Node);

/** TeX between dollars in texts: each once. */
function texIn(texts: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    const display = displayTexOf(text);
    if (display) found.add(display);
    else for (const [, tex = ''] of text.matchAll(/\$([^$]+)\$/g)) found.add(tex);
  }
  return [...found];
}

/** Reads and remembers the labs and the TeX of all words. */
export class LabSource {
  private labs: Promise<readonly ReadLab[]> | undefined;
  private tex: Promise<Readonly<Record<string, string>>> | undefined;

  constructor(private readonly web: string) {}

  read(): Promise<readonly ReadLab[]> {
    this.labs ??= readLabs(this.web);
    return this.labs;
  }

  /** Markup of the formulas of all words, by their TeX. */
  formulas(): Promise<Readonly<Record<string, string>>> {
    this.tex ??= this.readTex();
    return this.tex;
  }

  forget(): void {
    this.labs = undefined;
    this.tex = undefined;
  }

  private async readTex(): Promise<Readonly<Record<string, string>>> {
    const { parseAst, transformWithOxc } = await import('vite');
    const rendered: Record<string, string> = {};
    const files = ['labs', 'src/figures']
      .map((folder) => join(this.web, folder))
      .filter((folder) => existsSync(folder))
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) =>
          join(folder, path),
        ),
      )
      .filter(isWords)
      .sort();
    for (const file of files) {
      const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file);
      for (const tex of texIn(stringsIn(parseAst(code)))) rendered[tex] ??= renderTex(tex, file);
    }
    for (const { lab, words } of await this.read()) {
      for (const [language, said] of Object.entries(words)) {
        const name = `web/labs/${lab.id}/words/${language}.md`;
        for (const tex of texIn(textsIn(said))) rendered[tex] ??= renderTex(tex, name);
      }
    }
    return rendered;
  }
}

const text = (words: (id: LanguageId) => string | undefined): string =>
  inEach(words).replace(/φ/g, '<i class="phi-symbol">φ</i>').replace(/ᵀ/g, '<sup>T</sup>');
const said = (key: keyof PageWords): string => text((id) => pageWords[id][key]);

/** What this lab had once and another one has now. */
export function movedFrom(id: string, labs: readonly ReadLab[]): Moved {
  const moved: Record<string, string[]> = {};
  for (const { lab } of labs) {
    for (const { id: step, formerlyIn, blocks } of lab.steps) {
      if (formerlyIn !== id) continue;
      moved[lab.id] ??= [];
      moved[lab.id]?.push(step, ...figuresIn(blocks), ...exercisesIn(blocks));
    }
  }
  return moved;
}

/** A lab's whole page. `moved`: what it had once. */
export function labPage({ lab, opening, words }: ReadLab, moved: Moved = {}): string {
  const hasMoved = Object.keys(moved).length > 0;
  const { en } = opening;
  // The head is in English, with the other languages in attributes for theme.js: without scripts a page is English.
  const inHead = (words: (one: OpeningWords) => string): string =>
    LANGUAGES.slice(1)
      .flatMap((id) => {
        const said = opening[id];
        return said ? [` data-${id}="${escapeHtml(words(said))}"`] : [];
      })
      .join('');
  const outline = [
    ...lab.steps.map(
      ({ id }) =>
        [
          id,
          text((one) =>
            words[one]?.inEnglish?.includes(`steps.${id}`) ? undefined : words[one]?.steps[id],
          ),
        ] as const,
    ),
    ...closing.map((id) => [id, said(id)] as const),
  ];
  const { noscript } = {
    noscript: LANGUAGES.map((id) => `<p data-lang="${id}">${pageWords[id].noscript}</p>`),
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title${inHead(({ title }) => `${title} · Attention Labs`)}>${escapeHtml(en.title)} · Attention Labs</title>
<meta name="description" property="og:description" content="${escapeHtml(en.description)}"${inHead(({ description }) => description)} />
<meta property="og:title" content="${escapeHtml(en.title)}"${inHead(({ title }) => title)} />
<meta property="og:site_name" content="Attention Labs" />
<meta property="og:type" content="website" />
<meta name="color-scheme" content="light dark" />
<link rel="icon" href="/favicon.svg" type="image/svg+xml" />
<script src="/theme.js"></script>
${hasMoved ? '<script type="module" src="../../src/lab/page/follow-moved.ts"></script>\n' : ''}<script type="module" src="./main.ts"></script>
</head>
<body class="lab-page">
<a class="skip" href="#${lab.opening.id}">${said('skip')}</a>
<header class="masthead">
<a class="home" href="../../index.html">Attention Labs</a>
<span class="place">Lab ${lab.number}</span>
${switchOf(words)}
<attn-theme-switch></attn-theme-switch>
</header>
<main${hasMoved ? ` data-moved="${escapeHtml(JSON.stringify(moved))}"` : ''}>
<div class="opening">
<h1>${text((id) => opening[id]?.question)}</h1>
<p class="lead">${text((id) => opening[id]?.lead)}</p>
${whereElsewhere(words, ({ lab: line }) => line)}${whereEnglishInPart(words, ' class="fine english-for-now"')}
</div>
<div class="lab-opening" data-lab="${lab.id}" data-words="${Object.keys(words).join(' ')}" data-place="${escapeHtml(JSON.stringify(lab.opening))}"><div class="bench"><div class="knobs"></div><div class="stage placeholder"><noscript>${noscript.join('')}</noscript></div></div></div>
<div class="lab-body">
<nav class="outline" aria-labelledby="outline-title">
<h2 id="outline-title">${said('outline')}</h2>
<ol>
${outline.map(([id, title]) => `<li><a href="#${id}">${title}</a></li>`).join('\n')}
</ol>
</nav>
<attn-lab></attn-lab>
</div>
</main>
<footer class="colophon">
<p><a href="../../index.html">${said('all')}</a> · <a href="../../pages/exercises/index.html">${said('exercises')}</a> · <a href="../../pages/speed/index.html">${said('speed')}</a></p>
</footer>
</body>
</html>
`;
}

/** A module of words, and the markup of the formulas in it. */
function withFormulas(code: string, found: readonly string[], id: string): string {
  const markup = Object.fromEntries(found.map((tex) => [tex, renderTex(tex, id)]));
  return `import { addFormulas } from '/src/lab/text/rendered-formulas.ts';\n${code}\naddFormulas(${JSON.stringify(markup)});\n`;
}

/** The words of a lab, by its folder and their language. */
const MARKDOWN = /\/labs\/([^/]+)\/words\/(\w+)\.md$/;
const OPENINGS_ID = 'virtual:labs/openings';
const STEPS_ID = 'virtual:labs/steps';
const resolved = (id: string): string => `\0${id}`;

/** The steps of a lab in each language that it has. */
export const stepsOf = ({ lab, words }: ReadLab): EnglishFirst<readonly ListedStep[]> =>
  Object.fromEntries(
    Object.entries(words).map(([language, { steps, inEnglish }]) => [
      language,
      lab.steps.map(
        ({ id, blocks }): ListedStep => ({
          id,
          title: steps[id] ?? id,
          asks: [...questionsIn(blocks)].length > 0,
          ...(inEnglish?.includes(`steps.${id}`) && { lang: 'en' as const }),
        }),
      ),
    ]),
  ) as unknown as EnglishFirst<readonly ListedStep[]>;

export function labs(source: LabSource): Plugin {
  return {
    name: 'attention-labs:labs',
    resolveId(id) {
      return id === OPENINGS_ID || id === STEPS_ID ? resolved(id) : undefined;
    },
    async load(id) {
      const [, folder, language] = MARKDOWN.exec(id.split(sep).join('/')) ?? [];
      if (folder !== undefined) {
        const words = (await source.read()).find(({ lab }) => lab.id === folder)?.words;
        const own = words?.[language as LanguageId];
        const code = `export const words = ${JSON.stringify(own)};`;
        return withFormulas(code, texIn(textsIn(own)), id);
      }
      if (id !== resolved(OPENINGS_ID) && id !== resolved(STEPS_ID)) return undefined;
      const all = await source.read();
      if (id === resolved(STEPS_ID)) {
        const steps = Object.fromEntries(all.map((one) => [one.lab.id, stepsOf(one)]));
        return `export const steps = ${JSON.stringify(steps)};`;
      }
      const openings = Object.fromEntries(all.map(({ lab, opening }) => [lab.id, opening]));
      return `export const openings = ${JSON.stringify(openings)};`;
    },
    async transform(code, id) {
      if (!isWords(id) || !existsSync(id)) return undefined;
      const found = texIn(stringsIn(this.parse(code)));
      return found.length === 0 ? undefined : { code: withFormulas(code, found, id), map: null };
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { filename }) {
        const folder = dirname(filename);
        if (basename(dirname(folder)) !== 'labs') return html;
        const all = await source.read();
        const found = all.find(({ lab }) => lab.id === basename(folder));
        return found ? labPage(found, movedFrom(found.lab.id, all)) : html;
      },
    },
    handleHotUpdate({ file, server }) {
      if (!/\/labs\/[^/]+\/(?:lab\.ts|words\/.+)$/.test(file)) return;
      source.forget();
      // A German module holds English where a part is not translated yet, so it changes with the English file.
      server.moduleGraph.invalidateAll();
      server.ws.send({ type: 'full-reload' });
    },
  };
}
