/**
 * What the build knows of the labs: their pages are made from their words, readable before any
 * script, and the TeX in words is rendered, so that KaTeX itself is never sent.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { Plugin } from 'vite';
import { closing, type PageWords, pageWords } from '../src/lab/page-words.ts';
import { displayTexOf } from '../src/lab/tex.ts';
import type { Lab, LabWords, OpeningWords } from '../src/lab/types.ts';
import type { LanguageId } from '../src/strings/language.ts';
import { renderTex } from './formulas.ts';
import { escapeHtml, inEach } from './in-each.ts';

type InEach<T> = Readonly<Record<LanguageId, T>>;

const LANGUAGES = Object.keys(pageWords) as LanguageId[];

export interface ReadLab {
  readonly lab: Lab;
  readonly opening: InEach<OpeningWords>;
  readonly words: InEach<LabWords>;
}

/** Files of words, which may hold TeX. */
const isWords = (id: string): boolean =>
  /\/web\/(?:labs|src\/figures)\/[^/]+\/words\/.+\.ts$/.test(id.split(sep).join('/'));

/** All labs, as the site would bundle them, in the order of the course. */
async function readLabs(web: string): Promise<readonly ReadLab[]> {
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport<{
    labs: Readonly<Record<string, { readonly lab?: Lab }>>;
    openings: Readonly<Record<string, { readonly opening?: InEach<OpeningWords> }>>;
    words: Readonly<Record<string, { readonly words?: LabWords }>>;
  }>(join(web, 'plugins/all-labs.ts'), { configFile: false, logLevel: 'error' });
  return Object.entries(module.labs)
    .flatMap(([path, { lab }]) => {
      const folder = dirname(path);
      const opening = module.openings[`${folder}/words/opening.ts`]?.opening;
      const words = LANGUAGES.map(
        (id) => [id, module.words[`${folder}/words/${id}.ts`]?.words] as const,
      );
      if (!lab || !opening || words.some(([, one]) => !one)) return [];
      if (lab.id !== basename(folder)) {
        throw new Error(`web/labs/${basename(folder)}/lab.ts says its id is '${lab.id}'`);
      }
      return [{ lab, opening, words: Object.fromEntries(words) as InEach<LabWords> }];
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
    // In String.raw the characters are those of the source.
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

/** TeX between dollars in the strings of a program: each once. */
export function texIn(program: object): string[] {
  const found = new Set<string>();
  for (const text of stringsIn(program)) {
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
      for (const tex of texIn(parseAst(code))) rendered[tex] ??= renderTex(tex, file);
    }
    return rendered;
  }
}

const text = (words: (id: LanguageId) => string): string =>
  inEach(words).replace(/φ/g, '<i class="phi-symbol">φ</i>').replace(/ᵀ/g, '<sup>T</sup>');
const said = (key: keyof PageWords): string => text((id) => pageWords[id][key]);

/** A lab's whole page. */
export function labPage({ lab, opening, words }: ReadLab): string {
  const { en } = opening;
  // In English, with the others beside it for theme.js: who reads pages without scripts reads English.
  const inHead = (words: (one: OpeningWords) => string): string =>
    LANGUAGES.slice(1)
      .map((id) => ` data-${id}="${escapeHtml(words(opening[id]))}"`)
      .join('');
  const outline = [
    ...lab.steps.map(({ id }) => [id, text((one) => words[one].steps[id] ?? id)] as const),
    ...closing.map((id) => [id, said(id)] as const),
  ];
  const { noscript } = {
    noscript: LANGUAGES.map((id) => `<p lang="${id}">${pageWords[id].noscript}</p>`),
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
<script type="module" src="./main.ts"></script>
</head>
<body class="lab-page">
<a class="skip" href="#${lab.opening.id}">${said('skip')}</a>
<header class="masthead">
<a class="home" href="../../index.html">Attention Labs</a>
<span class="place">Lab ${lab.number}</span>
<attn-language-switch></attn-language-switch>
<attn-theme-switch></attn-theme-switch>
</header>
<main>
<div class="opening">
<h1>${text((id) => opening[id].question)}</h1>
<p class="lead">${text((id) => opening[id].lead)}</p>
</div>
<div class="lab-opening" data-lab="${lab.id}" data-place="${escapeHtml(JSON.stringify(lab.opening))}"><div class="bench"><div class="knobs"></div><div class="stage placeholder"><noscript>${noscript.join('')}</noscript></div></div></div>
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

const OPENINGS_ID = 'virtual:labs/openings';
const resolved = (id: string): string => `\0${id}`;

export function labs(source: LabSource): Plugin {
  return {
    name: 'attention-labs:labs',
    resolveId(id) {
      return id === OPENINGS_ID ? resolved(id) : undefined;
    },
    async load(id) {
      if (id !== resolved(OPENINGS_ID)) return undefined;
      const all = await source.read();
      const openings = Object.fromEntries(all.map(({ lab, opening }) => [lab.id, opening]));
      return `export const openings = ${JSON.stringify(openings)};`;
    },
    async transform(code, id) {
      if (!isWords(id) || !existsSync(id)) return undefined;
      const found = texIn(this.parse(code));
      if (found.length === 0) return undefined;
      const markup = Object.fromEntries(found.map((tex) => [tex, renderTex(tex, id)]));
      return {
        code: `import { addFormulas } from '/src/lab/formulas.ts';\n${code}\naddFormulas(${JSON.stringify(markup)});\n`,
        map: null,
      };
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { filename }) {
        const folder = dirname(filename);
        if (basename(dirname(folder)) !== 'labs') return html;
        const found = (await source.read()).find(({ lab }) => lab.id === basename(folder));
        return found ? labPage(found) : html;
      },
    },
    handleHotUpdate({ file, server }) {
      if (!/\/labs\/[^/]+\/(?:lab\.ts|words\/.+)$/.test(file)) return;
      source.forget();
      server.ws.send({ type: 'full-reload' });
    },
  };
}
