/**
 * `virtual:formulas`: every formula of the site as markup, rendered while the site is built, so that
 * KaTeX itself is never sent. The feature maps' formulas come from the core's own registry: the
 * built WebAssembly is asked for it.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import katex from 'katex';
import type { Plugin } from 'vite';
import type { FeatureMapInfo } from '#client';
import { scanFormulas, trimRules } from './katex-fonts.js';

const PUBLIC_ID = 'virtual:formulas';
const RESOLVED_ID = '\0virtual:formulas';

export interface Formulas {
  readonly registry: Readonly<Record<string, { readonly phi: string; readonly dimension: string }>>;
  readonly prose: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Renders the TeX, or throws an error that names where it stands. */
export function renderTex(tex: string, name: string): string {
  try {
    return katex.renderToString(tex, { output: 'htmlAndMathml', strict: 'error' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the formula '${name}' is not valid TeX: ${reason}\n  ${tex}`);
  }
}

/** All formulas: the registry's by id, the labs' by folder and name. */
export function renderFormulas(
  maps: readonly Pick<FeatureMapInfo, 'id' | 'tex' | 'dimensionTex'>[],
  labs: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Formulas {
  return {
    registry: Object.fromEntries(
      maps.map(({ id, tex, dimensionTex }) => [
        id,
        {
          phi: renderTex(tex, `feature map ${id}`),
          dimension: renderTex(dimensionTex, `dimension of feature map ${id}`),
        },
      ]),
    ),
    prose: Object.fromEntries(
      Object.entries(labs).map(([lab, formulas]) => [
        lab,
        Object.fromEntries(
          Object.entries(formulas).map(([name, tex]) => [name, renderTex(tex, `${lab}/${name}`)]),
        ),
      ]),
    ),
  };
}

/** The registry of the built core; Node has SIMD, but any build tells the same. */
export async function readRegistry(repository: string): Promise<readonly FeatureMapInfo[]> {
  const folder = ['simd', 'scalar']
    .map((variant) => join(repository, 'build/wasm', variant))
    .find((candidate) => existsSync(join(candidate, 'core.wasm')));
  if (!folder) {
    throw new Error('build/wasm/simd/core.wasm is missing: run `node wasm/tools/build.mjs` first');
  }
  const glue = join(folder, 'core.mjs');
  // Node keeps modules by address; the time makes a rebuilt core a new one for the dev server.
  const address = `${pathToFileURL(glue).href}?${statSync(glue).mtimeMs}`;
  const { default: createCore } = (await import(/* @vite-ignore */ address)) as {
    default: (options: object) => Promise<{ featureMaps(): readonly FeatureMapInfo[] }>;
  };
  const core = await createCore({ wasmBinary: readFileSync(join(folder, 'core.wasm')) });
  return core.featureMaps();
}

/** `web/labs/<lab>/formulas.ts` of every lab that has one: a module exporting `formulas`. */
async function readLabs(web: string): Promise<Record<string, Record<string, string>>> {
  const labs = join(web, 'labs');
  const found: Record<string, Record<string, string>> = {};
  const { transformWithOxc } = await import('vite');
  for (const lab of readdirSync(labs).sort()) {
    const file = join(labs, lab, 'formulas.ts');
    if (!existsSync(file)) continue;
    const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file);
    const module = (await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
    )) as { formulas: Record<string, string> };
    found[lab] = module.formulas;
  }
  return found;
}

/** Reads, renders and remembers the formulas; shared by the two plugins that need them. */
export class FormulaSource {
  private rendered: Promise<Formulas> | undefined;

  constructor(
    private readonly repository: string,
    private readonly web: string,
  ) {}

  formulas(): Promise<Formulas> {
    this.rendered ??= this.render();
    return this.rendered;
  }

  forget(): void {
    this.rendered = undefined;
  }

  /** All markup in one string, for scanning. */
  async markup(): Promise<string> {
    const { registry, prose } = await this.formulas();
    return [
      ...Object.values(registry).flatMap(({ phi, dimension }) => [phi, dimension]),
      ...Object.values(prose).flatMap((lab) => Object.values(lab)),
    ].join('\n');
  }

  private async render(): Promise<Formulas> {
    const [maps, labs] = [await readRegistry(this.repository), await readLabs(this.web)];
    return renderFormulas(maps, labs);
  }
}

export function formulas(source: FormulaSource, repository: string): Plugin {
  const sheet = readFileSync(join(repository, 'node_modules/katex/dist/katex.css'), 'utf8');
  return {
    name: 'attention-labs:formulas',
    resolveId(id) {
      return id === PUBLIC_ID ? RESOLVED_ID : undefined;
    },
    async load(id) {
      if (id !== RESOLVED_ID) return undefined;
      const { registry, prose } = await source.formulas();
      const css = trimRules(sheet, scanFormulas(await source.markup()).classes);
      return [
        `export const registry = ${JSON.stringify(registry)};`,
        `export const prose = ${JSON.stringify(prose)};`,
        `export const css = ${JSON.stringify(css)};`,
      ].join('\n');
    },
    async handleHotUpdate({ file, server }) {
      if (!/[\\/](?:formulas\.ts|core\.wasm)$/.test(file)) return;
      source.forget();
      const module = server.moduleGraph.getModuleById(RESOLVED_ID);
      if (module) await server.reloadModule(module);
    },
  };
}
