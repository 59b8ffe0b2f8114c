/**
 * What the home page and the labs begin with. Their scripts come in a few files: without this a lab begins with more
 * than twenty small ones, and a browser that asks a server for six at a time spends four round trips on them. And the
 * core starts first, by a script of its own, because its worker fetches in three further round trips.
 */
import { posix } from 'node:path';
import type { HtmlTagDescriptor, Plugin } from 'vite';

/** What of the bundler's graph of modules is needed. */
interface Graph {
  getModuleInfo(
    id: string,
  ): { readonly isEntry: boolean; readonly importers: readonly string[] } | null;
}

const START = 'src/start-core.ts';

/** What the client exports beside itself, for figures that come later: no page begins with it. */
const LATER = /\/wasm\/client\/(?:objects|full\/handles)\.ts$/;

/** The scripts and pages that load a module at once. */
function entriesOf(id: string, graph: Graph, seen = new Set<string>()): readonly string[] {
  if (seen.has(id)) return [];
  seen.add(id);
  const info = graph.getModuleInfo(id);
  const above = info?.importers.flatMap((importer) => entriesOf(importer, graph, seen)) ?? [];
  return info?.isEntry ? [id, ...above] : above;
}

/**
 * For `output.codeSplitting.groups`. `web` is the folder of the site's sources, with a slash at its end, and `pages` what
 * is built of it.
 */
export function firstGroups(web: string, pages: readonly string[]) {
  const isLab = (entry: string): boolean => entry.startsWith(`${web}labs/`);
  // What one lab does not begin with would cost its first load bytes that are short.
  const all = pages.filter(isLab).length;
  const isOfLabs = (entries: readonly string[]): boolean => entries.filter(isLab).length >= all;
  const kinds: Readonly<Record<string, (entries: readonly string[]) => boolean>> = {
    core: (entries) => entries.includes(`${web}${START}`),
    page: (entries) => entries.includes(`${web}index.html`) && isOfLabs(entries),
    lab: isOfLabs,
  };
  return Object.entries(kinds).map(([name, has], i) => ({
    // A module is in the first group that has it.
    priority: Object.keys(kinds).length - i,
    name: (id: string, graph: Graph) =>
      !id.endsWith(START) && !LATER.test(id) && has(entriesOf(id, graph)) ? name : null,
  }));
}

export function startCore(web: string): Plugin {
  return {
    name: 'attention-labs:start-core',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: `${web}${START}`, name: 'start-core' });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { path, bundle }): HtmlTagDescriptor[] {
        if (!/^\/(?:labs\/[^/]+\/)?index\.html$/.test(path)) return [];
        const chunk = Object.values(bundle ?? {}).find(
          (one) => one.type === 'chunk' && one.facadeModuleId === `${web}${START}`,
        );
        if (!chunk) throw new Error(`${START} has become no script`);
        const src = posix.relative(posix.dirname(path), `/${chunk.fileName}`);
        // `async`: it waits for no style sheet and no other script.
        return [
          {
            tag: 'script',
            attrs: { type: 'module', async: true, crossorigin: true, src },
            injectTo: 'head-prepend',
          },
        ];
      },
    },
  };
}
