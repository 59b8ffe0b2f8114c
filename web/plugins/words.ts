/**
 * The interface's words in other languages than English, as classic scripts: `theme.js` writes the
 * one that a page needs before the page's modules, so that these find their words without waiting.
 * (Modules that await are cut into many files by the bundler, and lost by WebKit when two `import()`s
 * reach them at once: bug 242740.)
 */
import { join } from 'node:path';
import type { Plugin, ResolvedConfig } from 'vite';
import { type LanguageId, languages } from '../src/strings/language.ts';
import { bundle, devPath } from './sandbox.ts';

/**
 * What a page says at once (`data-words` of its `theme.js`; without it the interface's) and what it says
 * later, if that is a script of its own (`src/strings/lazy-words.ts`). Files `src/strings/<id>/<pack>.ts`.
 */
const pages: Readonly<Record<string, string | undefined>> = {
  interface: 'interface-later',
  speed: undefined,
};
const packs = Object.entries(pages)
  .flat()
  .filter((pack) => pack !== undefined);
const ids = (Object.keys(languages) as LanguageId[]).filter((id) => id !== 'en');

const SCRIPT = /<script( data-words="([^"]*)")? src="([^"]*)theme\.js"( data-words="([^"]*)")?>/;

export function words(web: string): Plugin {
  let config: ResolvedConfig;
  const file = (id: LanguageId, pack: string): string => join(web, `src/strings/${id}/${pack}.ts`);
  const assetName = (id: LanguageId, pack: string): string => `words-${pack}-${id}.js`;
  return {
    name: 'attention-labs:words',
    configResolved(resolved) {
      config = resolved;
    },
    async buildStart() {
      if (config.command === 'serve') return;
      // In the place of the copy from public/, which has comments: every page waits for it.
      this.emitFile({
        type: 'asset',
        fileName: 'theme.js',
        source: await bundle(join(web, 'public/theme.js'), config),
      });
      for (const id of ids) {
        for (const pack of packs) {
          const source = await bundle(file(id, pack), config);
          this.emitFile({ type: 'asset', name: assetName(id, pack), source });
        }
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle: made }) {
        return html.replace(SCRIPT, (_tag, _a, before, root, _b, after) => {
          const pack = before ?? after ?? 'interface';
          const address = (id: LanguageId, pack: string): string => {
            if (!made) return `${devPath}${encodeURIComponent(file(id, pack))}`;
            const asset = Object.values(made).find(
              (output) => output.type === 'asset' && output.names.includes(assetName(id, pack)),
            );
            if (!asset) throw new Error(`no words '${pack}' in ${id}: see ${packs.join(', ')}`);
            return `${root}${asset.fileName}`;
          };
          const later = pages[pack];
          const data = pack === '' ? [] : ids.map((id) => ` data-${id}="${address(id, pack)}"`);
          if (later) data.push(...ids.map((id) => ` data-${id}-later="${address(id, later)}"`));
          return `<script src="${root}theme.js"${data.join('')}>`;
        });
      },
    },
  };
}
