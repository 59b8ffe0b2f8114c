/**
 * The formulas of the feature maps and of the exercises as markup. They are rendered while the site is
 * built, so KaTeX itself is never sent. The feature maps' TeX comes from the core's own registry: the
 * built WebAssembly is asked for it. (The formulas in the labs' words: `labs.ts`.)
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import katex from 'katex';
import type { Plugin } from 'vite';
import type { FeatureMapInfo } from '#client';

const PUBLIC_ID = 'virtual:formulas';
const RESOLVED_ID = `\0${PUBLIC_ID}`;

/** Markup of each feature map's φ and feature dimension, by the registry's id. */
export type RegistryFormulas = Readonly<
  Record<string, { readonly phi: string; readonly dimension: string }>
>;

/** By TeX: most formulas are the same in every language, and the fonts are cut to them first. */
const rendered = new Map<string, string>();

/**
 * Renders the TeX, or throws an error that names where it stands. Style attributes are called `data-style`: no
 * page may have the former in its markup under `style-src 'self'`, so `drawn-formula.ts` applies them by script.
 */
export function renderTex(tex: string, name: string): string {
  const known = rendered.get(tex);
  if (known !== undefined) return known;
  try {
    const html = katex.renderToString(tex, { output: 'htmlAndMathml', strict: 'error' });
    const markup = html.replaceAll(' style="', ' data-style="');
    rendered.set(tex, markup);
    return markup;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the formula '${name}' is not valid TeX: ${reason}\n  ${tex}`);
  }
}

export function renderRegistry(
  maps: readonly Pick<FeatureMapInfo, 'id' | 'tex' | 'dimensionTex'>[],
): RegistryFormulas {
  return Object.fromEntries(
    maps.map(({ id, tex, dimensionTex }) => [
      id,
      {
        phi: renderTex(tex, `feature map ${id}`),
        dimension: renderTex(dimensionTex, `dimension of feature map ${id}`),
      },
    ]),
  );
}

/** The registry of the built core. */
export async function readRegistry(repository: string): Promise<readonly FeatureMapInfo[]> {
  const folder = join(repository, 'build/wasm/simd');
  if (!existsSync(join(folder, 'start.wasm'))) {
    throw new Error('build/wasm/simd/start.wasm is missing: run `node wasm/tools/build.mjs` first');
  }
  const glue = join(folder, 'start.mjs');
  // Node keeps modules by address; the time makes a rebuilt core a new one for the dev server.
  const address = `${pathToFileURL(glue).href}?${statSync(glue).mtimeMs}`;
  const { default: createCore } = (await import(/* @vite-ignore */ address)) as {
    default: (options: object) => Promise<{ featureMaps(): readonly FeatureMapInfo[] }>;
  };
  const core = await createCore({ wasmBinary: readFileSync(join(folder, 'start.wasm')) });
  return core.featureMaps();
}

/** Reads, renders and remembers the registry's formulas; shared by the two plugins that need them. */
export class RegistrySource {
  private rendered: Promise<RegistryFormulas> | undefined;

  constructor(private readonly repository: string) {}

  formulas(): Promise<RegistryFormulas> {
    this.rendered ??= readRegistry(this.repository).then(renderRegistry);
    return this.rendered;
  }

  forget(): void {
    this.rendered = undefined;
  }
}

/** `virtual:formulas`: see virtual.d.ts. */
export function formulas(source: RegistrySource): Plugin {
  return {
    name: 'attention-labs:formulas',
    resolveId: (id) => (id === PUBLIC_ID ? RESOLVED_ID : undefined),
    async load(id) {
      if (id !== RESOLVED_ID) return undefined;
      return `export const registry = ${JSON.stringify(await source.formulas())};`;
    },
    async handleHotUpdate({ file, server }) {
      if (!/[\\/]start\.wasm$/.test(file)) return;
      source.forget();
      const module = server.moduleGraph.getModuleById(RESOLVED_ID);
      if (module) await server.reloadModule(module);
    },
  };
}
