/** What an instructor pastes: the same lab as a link, as markup, and in the words of the tools that make course pages. */
import { isOfQuery } from '../../src/embed/element/address.ts';
import { type Embedded, readable } from '../../src/embed/to-embed.ts';
import type { LanguageId } from '../../src/strings/language.ts';

export interface Embedding extends Embedded {
  /** The folder of the site, with a slash at its end. */
  readonly site: string;
  readonly language: LanguageId;
  readonly title: string;
  readonly height: number;
  /** 0 for as wide as the page around. */
  readonly width: number;
}

/** For markup and for XML alike. */
const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

const attributes = (pairs: Readonly<Record<string, string | number>>): string =>
  Object.entries(pairs)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');

const indented = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);

export function linkOf({ site, language, lab, exercise, step, query }: Embedding): string {
  const below = language === 'en' ? '' : `${language}/`;
  const page = lab ? `labs/${lab}` : 'pages/exercises';
  const pairs = [lab ? '' : `id=${exercise}`, query].filter(Boolean).join('&');
  return `${site}${below}${page}/index.html${pairs && `?v=1&${pairs}`}${step && `#${step}`}`;
}

export function iframeOf(one: Embedding): string {
  const { title, width, height } = one;
  return `<iframe${attributes({ src: linkOf(one), title, width: width || '100%', height })} loading="lazy" allow="clipboard-write"></iframe>`;
}

/**
 * Names that HTML would change stay in `query`, all others are attributes. So do values with a line break or a back-tick,
 * which would end the block of a text around them.
 */
function pairsOf(query: string): Record<string, string> {
  const left = new URLSearchParams(query);
  const own: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (!/^[a-z][a-z0-9_.-]*$/.test(name) || !isOfQuery(name) || !/^[^\p{Cc}`]+$/u.test(value))
      continue;
    own[name] = value;
    left.delete(name);
  }
  return { query: readable(left), ...own };
}

export const elementFile = ({ site }: Pick<Embedding, 'site'>): string => `${site}attention-lab.js`;

/** @param id of the element, where a script of the page around looks for it */
export function elementOf(one: Embedding, id = ''): string {
  const { lab, exercise, step, language, title, height, width, query } = one;
  const said = attributes({
    ...{ id, lab, exercise, step, lang: language },
    ...pairsOf(query),
    ...{ title, height },
  });
  const tag = `<attention-lab${said}>\n  <p><a href="${escaped(linkOf(one))}">${escaped(title)}</a></p>\n</attention-lab>`;
  const body = width ? `<div style="max-width: ${width}px">\n${indented(tag, '  ')}\n</div>` : tag;
  return `<script type="module" src="${escaped(elementFile(one))}"></script>\n${body}`;
}

const NOT_BEGUN: Readonly<Record<LanguageId, string>> = { en: 'not begun', de: 'nicht begonnen' };

/** The element in a page that keeps the score and the work, here in the reader's browser. */
export function gradedOf(one: Embedding): string {
  const id = `attention-${one.lab || one.exercise}`;
  return `${elementOf(one, id)}
<p>${escaped(one.title)}: <output id="${id}-grade">${NOT_BEGUN[one.language]}</output></p>
<script type="module">
  const lab = document.querySelector('#${id}');
  // What was kept, or null: saying either means that this page keeps it, and only then does the lab hand anything over.
  lab.state = JSON.parse(localStorage.getItem('${id}'));
  lab.addEventListener('progress', () => localStorage.setItem('${id}', JSON.stringify(lab.state)));
  lab.addEventListener('score', ({ detail }) => {
    document.querySelector('#${id}-grade').textContent = \`\${Math.round(100 * detail.score)} %\`;
  });
</script>`;
}

/** The file is copied while the book is built, so it is told where the site is. */
export function mystOf(one: Embedding): string {
  const { site, lab, exercise, step, language, title, height, query } = one;
  const model = Object.fromEntries(
    Object.entries({
      base: site,
      lab,
      exercise,
      step,
      lang: language,
      query,
      title,
      height,
    }).filter(([, value]) => value !== ''),
  );
  return `:::{anywidget} ${site}attention-lab.anywidget.js\n${JSON.stringify(model, null, 2)}\n:::`;
}

export const quartoOf = (one: Embedding): string => `\`\`\`{=html}\n${elementOf(one)}\n\`\`\``;

export const sphinxOf = (one: Embedding): string =>
  `.. raw:: html\n\n${indented(elementOf(one), '   ')}`;

/** PreTeXt knows a width in percent and a shape. */
export function pretextOf(one: Embedding): string {
  const { lab, exercise, width, height } = one;
  const said = attributes({
    'xml:id': `attention-${lab || exercise}`,
    iframe: linkOf(one),
    width: '100%',
    aspect: `${width || 800}:${height}`,
  });
  return `<interactive${said} />`;
}

/** In the order in which the page shows them. */
export const SNIPPETS = {
  link: linkOf,
  iframe: iframeOf,
  element: (one) => elementOf(one),
  graded: gradedOf,
  myst: mystOf,
  quarto: quartoOf,
  sphinx: sphinxOf,
  pretext: pretextOf,
} as const satisfies Record<string, (one: Embedding) => string>;

export type SnippetId = keyof typeof SNIPPETS;
