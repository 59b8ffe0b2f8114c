/**
 * A language is a build: English pages lie at `/`, German ones at `/de/`, the same pages with other words. Sources say
 * their words side by side, and this keeps those of the language that is being built:
 *
 * - of an object whose keys are languages (`{ en: …, de: … }`) the entry of the language, English where it has none;
 * - of elements in a page's markup that have `data-lang` those of the language.
 *
 * A lab that a language has no words for is the English page in that language's site too, in everything, so that its
 * figures and its buttons speak one language: the English build writes it there, with a line in the other language that
 * says so (`data-site`), and its links lead on in that site.
 */

import { existsSync, readFileSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import { join, posix, sep } from 'node:path';
import type { Plugin, ViteBuilder } from 'vite';
import { englishForNow } from '../src/strings/english-for-now.ts';
import { type LanguageId, languages } from '../src/strings/language.ts';
import { firstGroups } from './first-chunks.ts';
import { isInEnglishOnly, pageInputs } from './page-inputs.ts';

const LANGUAGES = Object.keys(languages) as LanguageId[];
/** The languages whose pages lie in a folder of their own. */
export const others = LANGUAGES.filter((id) => id !== 'en');

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Whatever knows the constants of a build. */
interface Building {
  readonly config: { readonly define?: Readonly<Record<string, unknown>> | undefined };
}

/** The constant that tells a page's scripts its language. */
export const defineLanguage = (language: LanguageId) => ({
  __LANGUAGE__: JSON.stringify(language),
});

/** The language of a build; English for one that does not say. */
export const languageOf = ({ config }: Building): LanguageId =>
  LANGUAGES.find((id) => config.define?.__LANGUAGE__ === JSON.stringify(id)) ?? 'en';

/** The properties of objects of words that are not of the language. */
function* unwanted(node: Node, language: LanguageId): Generator<Node> {
  let kept: unknown[] | undefined;
  if (node.type === 'ObjectExpression') {
    const properties = node.properties as Node[];
    const keys = properties.map((one) => {
      const key = one.key as Node | undefined;
      return one.type === 'Property' && !one.computed && String(key?.name ?? key?.value);
    });
    const ofLanguages = keys.every((key) => LANGUAGES.includes(key as LanguageId));
    if (ofLanguages && keys.includes('en')) {
      const own = keys.includes(language) ? language : 'en';
      kept = properties.filter((_, i) => keys[i] === own);
      for (const [i, one] of properties.entries()) if (keys[i] !== own) yield one;
    }
  }
  for (const value of kept ? [kept] : Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof (child as Node | null)?.type === 'string')
        yield* unwanted(child as Node, language);
    }
  }
}

/** The code without words of other languages. Blanks take their place, so that every position stays. */
export function codeIn(language: LanguageId, code: string, program: object): string {
  let left = code;
  for (const { start, end } of unwanted(program as Node, language)) {
    const comma = /^\s*,/.exec(left.slice(end))?.[0].length ?? 0;
    const gone = left.slice(start, end + comma).replace(/\S/g, ' ');
    left = left.slice(0, start) + gone + left.slice(end + comma);
  }
  return left;
}

const TAG = '(?:"[^"]*"|[^">])*>';

/** Where the element whose tag stands at `start` ends. */
function endOf(html: string, start: number, name: string): number {
  const tags = new RegExp(`<(/?)${name}\\b${TAG}`, 'g');
  tags.lastIndex = start;
  let depth = 0;
  for (let tag = tags.exec(html); tag; tag = tags.exec(html)) {
    depth += tag[1] ? -1 : 1;
    if (depth === 0) return tags.lastIndex;
  }
  throw new Error(`an element without an end: ${html.slice(start, start + 80)}`);
}

/** The markup without elements of other languages, and without lines for the sites of others. */
function elementsIn(language: LanguageId, html: string, site: LanguageId): string {
  const marked = new RegExp(`<([\\w-]+)\\b(?=${TAG})[^>]*?\\sdata-(lang|site)="(\\w+)"${TAG}`, 'g');
  let own = '';
  let from = 0;
  for (let found = marked.exec(html); found; found = marked.exec(html)) {
    const [tag, name = '', kind, of] = found;
    const end = endOf(html, found.index, name);
    own += html.slice(from, found.index);
    if (kind === 'site') {
      if (of === site) own += html.slice(found.index, end).replace(/\sdata-site="\w+"/, '');
    } else if (of === language) {
      const bare = tag.replace(/\sdata-lang="\w+"/, '').replace(` lang="${language}"`, '');
      const close = `</${name}>`;
      const inner = elementsIn(
        language,
        html.slice(found.index + tag.length, end - close.length),
        site,
      );
      // An element that only named its language has nothing more to say.
      own += bare === '<span>' ? inner : bare + inner + close;
    }
    from = end;
    marked.lastIndex = end;
  }
  return own + html.slice(from);
}

/** The path of a page's file in the site. */
export const pathIn = (language: LanguageId, page: string): string =>
  language === 'en' ? page : `${language}/${page}`;

/** The same page in another language, as an address relative to it. */
const addressOf = (page: string, from: LanguageId, to: LanguageId): string => {
  const address = posix.relative(posix.dirname(pathIn(from, page)), pathIn(to, page));
  return address.startsWith('.') ? address : `./${address}`;
};

/**
 * A page's markup in one language, with links to the others. `page` is its path, as in English. `site` is the language in
 * whose folder it lies.
 */
export function markupIn(
  language: LanguageId,
  html: string,
  page: string,
  site: LanguageId = language,
): string {
  const links = LANGUAGES.filter((id) => id !== site).map((id) => ({
    id,
    address: addressOf(page, site, id),
  }));
  const alternates = LANGUAGES.map(
    (id) => `<link rel="alternate" hreflang="${id}" href="${addressOf(page, site, id)}" />`,
  );
  // A page names the languages that have it in English for now, and the link says so before it is followed.
  const lacks = (/<attn-language-switch data-lacks="([^"]*)"/.exec(html)?.[1] ?? '').split(' ');
  const switches = links
    .map(({ id, address }) => {
      const link = `hreflang="${id}" href="${address}">`;
      // Without a language of its own the link invites nobody.
      return id !== 'en' && lacks.includes(id)
        ? `<a ${link}<span lang="${id}">${languages[id]} <small>${englishForNow[id].short}</small></span></a>`
        : `<a lang="${id}" ${link}${languages[id]}</a>`;
    })
    .join('');
  return (
    elementsIn(language, html, site)
      // English that other languages mark as such needs no mark on an English page.
      .replace(new RegExp(`<span lang="${language}">([^<]*)</span>`, 'g'), '$1')
      .replace(
        /<html lang="en"/,
        `<html lang="${language}"${site === language ? '' : ` data-site="${site}"`}`,
      )
      .replace(/\sdata-in-english="[^"]*"/, '')
      // A title and descriptions have their words in attributes.
      .replace(/<(title|meta)\b(?:"[^"]*"|[^">])*>(?:[^<]*<\/title>)?/g, (element) => {
        const said = new RegExp(`\\sdata-${language}="([^"]*)"`).exec(element)?.[1];
        const bare = element.replace(/\s+data-\w+="[^"]*"/g, '');
        if (said === undefined) return bare;
        return bare.startsWith('<title')
          ? `<title>${said}</title>`
          : bare.replace(/\scontent="[^"]*"/, () => ` content="${said}"`);
      })
      // Before the first script, which follows old links with `?lang=` there.
      .replace(/^([ \t]*)<script\b/m, (script, indent) =>
        [...alternates.map((link) => indent + link), script].join('\n'),
      )
      .replace(
        /<attn-language-switch\b[^>]*>\s*(<\/attn-language-switch>)/g,
        `<attn-language-switch>${switches}$1`,
      )
  );
}

/** The page that shows, in the site of another language, what this page has in English only. */
const besideIn = (html: string): string | undefined =>
  /<html\b[^>]*\sdata-in-english="([^"]+)"/.exec(html)?.[1];

/** That page's markup: it says that what it shows is in English. */
const withLine = (html: string, site: Exclude<LanguageId, 'en'>): string =>
  html.replace(
    /<main\b[^>]*>/,
    (main) =>
      `${main}<p class="fine english-for-now" lang="${site}">${englishForNow[site].exercise}</p>`,
  );

/** The scripts and style sheets of a page, which all languages share, from a folder deeper. */
const fromBelow = (html: string): string =>
  html.replace(/<(?:script|link)\b(?:"[^"]*"|[^">])*>/g, (tag) =>
    /\srel="alternate"/.test(tag)
      ? tag
      : tag.replace(/\s(src|href)="(?:\.\/)?((?:\.\.\/)*[\w@-][^":]*)"/, ' $1="../$2"'),
  );

/** Modules that may say something in several languages. The names of the languages themselves are not words. */
const hasWords = (id: string): boolean =>
  id.startsWith('\0virtual:') ||
  (/\/web\/(?:src|labs|pages|exercises)\/.*\.ts$/.test(id.split(sep).join('/')) &&
    !/\/strings\/language\.ts$/.test(id));

export function oneLanguage(): Plugin {
  let serving: LanguageId | undefined;
  let web = '';
  return {
    name: 'attention-labs:one-language',
    configResolved(config) {
      web = `${config.root}/`;
      if (config.command === 'serve') serving = languageOf({ config });
    },
    transform(code, id) {
      if (!hasWords(id) || !code.includes('en')) return undefined;
      const own = codeIn(languageOf(this.environment), code, this.parse(code));
      // Every position stays, so the map of the source does too.
      return own === code ? undefined : { code: own, map: null };
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { filename, originalUrl }) {
        if (!serving) return html;
        const site = others.find((id) => originalUrl?.startsWith(`/${id}/`));
        return markupIn(serving, html, filename.slice(web.length), site);
      },
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const language = languageOf(this.environment);
        for (const [name, file] of Object.entries(bundle)) {
          if (file.type !== 'asset' || !name.endsWith('.html')) continue;
          const html = String(file.source);
          delete bundle[name];
          const write = (site: LanguageId, source = html, page = name): void => {
            const own = markupIn(language, source, name, site);
            this.emitFile({
              type: 'asset',
              fileName: pathIn(site, page),
              source: site === 'en' ? own : fromBelow(own),
            });
          };
          write(language);
          if (language !== 'en') continue;
          const beside = besideIn(html);
          for (const id of others) {
            if (isInEnglishOnly(web, name, id)) write(id);
            if (beside) write(id, withLine(html, id), posix.join(posix.dirname(name), beside));
          }
        }
      },
    },
  };
}

const bundled = (web: string, language: LanguageId) => {
  const input = pageInputs(web, language);
  return {
    input,
    output: {
      // Else the group of the client would take along all that the client's index exports.
      codeSplitting: {
        groups: firstGroups(web, Object.values(input)),
        includeDependenciesRecursively: false,
      },
    },
  };
};

/**
 * One run builds every language, one after the other. What two languages share has one name, because names are made of
 * what is inside, and is written once.
 */
export const buildAll = (web: string) => ({
  environments: {
    client: { build: { rolldownOptions: bundled(web, 'en') } },
    ...Object.fromEntries(
      others.map((id) => [
        id,
        {
          consumer: 'client' as const,
          define: defineLanguage(id),
          build: {
            ...{ emptyOutDir: false, copyPublicDir: false },
            rolldownOptions: bundled(web, id),
          },
        },
      ]),
    ),
  },
  builder: {
    async buildApp({ environments, build }: ViteBuilder): Promise<void> {
      for (const name of ['client', ...others]) {
        const environment = environments[name];
        if (environment) await build(environment);
      }
    },
  },
});

/** The English page that is shown at an address in the folder of another language; undefined where that has its own. */
function englishAt(web: string, url: string, language: LanguageId): string | undefined {
  const page = url.replace(/[?#].*/, '').replace(/(^|\/)$/, '$1index.html');
  if (isInEnglishOnly(web, page, language)) return page;
  const index = posix.join(posix.dirname(page), 'index.html');
  if (page === index || !existsSync(join(web, index))) return undefined;
  const beside = besideIn(readFileSync(join(web, index), 'utf8'));
  return beside === posix.basename(page) ? index : undefined;
}

/** While the site is served for development: a server for each other language behind the one of English. */
export function serveOthers(): Plugin {
  return {
    name: 'attention-labs:serve-others',
    apply: 'serve',
    async configureServer(server) {
      if (languageOf(server) !== 'en' || server.config.server.middlewareMode) return;
      const { createServer } = await import('vite');
      for (const id of others) {
        const base = `/${id}/`;
        const other = await createServer({
          configFile: server.config.configFile ?? false,
          root: server.config.root,
          base,
          define: defineLanguage(id),
          cacheDir: `${server.config.cacheDir}-${id}`,
          server: {
            middlewareMode: true,
            ...(server.httpServer && { ws: { server: server.httpServer as HttpServer } }),
          },
        });
        server.httpServer?.once('close', () => void other.close());
        server.middlewares.use((request, response, next) => {
          const { url = '' } = request;
          if (!url.startsWith(base)) return next();
          const page = englishAt(server.config.root, url.slice(base.length), id);
          if (!page) return other.middlewares(request, response, next);
          const file = readFileSync(join(server.config.root, page), 'utf8');
          const source = besideIn(file) ? withLine(file, id) : file;
          // Its scripts are those of English.
          const from = (_: string, path: string) =>
            ` src="/${posix.join(posix.dirname(page), path)}"`;
          server.transformIndexHtml(`/${page}`, source, url).then((html) => {
            response.setHeader('Content-Type', 'text/html');
            response.end(html.replace(/ src="(\.[^"]*)"/g, from));
          }, next);
        });
      }
    },
  };
}
