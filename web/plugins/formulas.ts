/**
 * Every formula of the site as markup, rendered while the site is built, so that KaTeX itself is
 * never sent. `virtual:formulas` holds those that are on screen at first, `virtual:formulas/all` all. The feature maps' formulas come from the core's own registry: the
 * built WebAssembly is asked for it.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import katex from 'katex';
import type { Plugin } from 'vite';
import type { FeatureMapInfo } from '#client';
import { displayTex, inlineTex } from '../src/exercises/tex.ts';
import type { Exercise } from '../src/exercises/types.ts';
import { type ExerciseWords, inLanguage } from '../src/exercises/words.ts';
import type { LanguageId } from '../src/strings/language.ts';

const PUBLIC_ID = 'virtual:formulas';
const ALL_ID = `${PUBLIC_ID}/all`;
const EXERCISES_ID = `${PUBLIC_ID}/exercises`;
const LIST_IDS = { 'virtual:exercises/en': 'en', 'virtual:exercises/de': 'de' } as const;
const IDS: readonly string[] = [PUBLIC_ID, ALL_ID, EXERCISES_ID, ...Object.keys(LIST_IDS)];
const resolved = (id: string): string => `\0${id}`;

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

/** What a lab's `formulas.ts` exports. */
interface LabFormulas {
  /** TeX of its prose, by name. */
  readonly formulas: Readonly<Record<string, string>>;
  /** The feature maps whose formulas are on screen before anything is touched. */
  readonly first?: readonly string[];
}

/** `web/labs/<lab>/formulas.ts` of every lab that has one. */
async function readLabs(web: string): Promise<Record<string, LabFormulas>> {
  const labs = join(web, 'labs');
  const found: Record<string, LabFormulas> = {};
  const { transformWithOxc } = await import('vite');
  for (const lab of readdirSync(labs).sort()) {
    const file = join(labs, lab, 'formulas.ts');
    if (!existsSync(file)) continue;
    const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file);
    found[lab] = (await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
    )) as LabFormulas;
  }
  return found;
}

/** TeX between dollars, in the texts of the exercises that are read: each once. */
export function texOf(exercises: readonly Exercise[]): string[] {
  const found = new Set<string>();
  for (const { task, hints, variants, figure, parameters, results, cost, ...rest } of exercises) {
    const texts = [
      ...[rest.title, rest.summary, rest.tolerance.reason, figure.caption, cost?.wanted ?? ''],
      ...[...task, ...hints],
      ...variants.map(({ message }) => message),
      ...[...parameters, ...results].map(({ what }) => what),
    ];
    for (const text of texts) {
      for (const [, tex = ''] of text.matchAll(inlineTex)) found.add(tex);
    }
    for (const paragraph of task) {
      const alone = displayTex(paragraph);
      if (alone) found.add(alone);
    }
  }
  return [...found];
}

type Specifications = Readonly<Record<LanguageId, readonly Exercise[]>>;

/** All exercises in every language, as the site would bundle them. */
async function readExercises(web: string): Promise<Specifications> {
  if (!existsSync(join(web, 'exercises'))) return { en: [], de: [] };
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport<{
    modules: Readonly<Record<string, { readonly exercise?: Exercise }>>;
    translations: Readonly<Record<'de', Readonly<Record<string, { words?: ExerciseWords }>>>>;
  }>(join(web, 'plugins/all-exercises.ts'), { configFile: false, logLevel: 'error' });
  const { modules, translations } = module;
  const en = Object.values(modules).flatMap(({ exercise }) => (exercise ? [exercise] : []));
  const de = en.map((exercise) =>
    inLanguage(exercise, translations.de[`../exercises/${exercise.id}/de.ts`]?.words),
  );
  return { en, de };
}

/** Reads, renders and remembers the formulas; shared by the two plugins that need them. */
export class FormulaSource {
  private rendered: Promise<Formulas> | undefined;
  private firstMaps: readonly string[] = [];
  private ofExercises: Promise<Readonly<Record<string, string>>> | undefined;
  private read: Promise<Specifications> | undefined;

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
    this.ofExercises = undefined;
    this.read = undefined;
  }

  specifications(): Promise<Specifications> {
    this.read ??= readExercises(this.web);
    return this.read;
  }

  /** Markup of the exercises' formulas, by their TeX. */
  exercises(): Promise<Readonly<Record<string, string>>> {
    this.ofExercises ??= this.specifications().then(({ en, de }) =>
      Object.fromEntries(
        texOf([...en, ...de]).map((tex) => [tex, renderTex(tex, 'a formula of web/exercises')]),
      ),
    );
    return this.ofExercises;
  }

  /** All markup in one string, for scanning. */
  async markup(): Promise<string> {
    const { registry, prose } = await this.formulas();
    return [
      ...Object.values(registry).flatMap(({ phi, dimension }) => [phi, dimension]),
      ...Object.values(prose).flatMap((lab) => Object.values(lab)),
    ].join('\n');
  }

  /** φ of the maps that the labs show before anything is touched, by id. */
  async first(): Promise<Readonly<Record<string, string>>> {
    const { registry } = await this.formulas();
    return Object.fromEntries(this.firstMaps.map((id) => [id, registry[id]?.phi ?? '']));
  }

  /** For scanning: those, and the φ in the labs' openings, which is the formulas'. */
  async firstMarkup(): Promise<string> {
    return [renderTex('\\varphi', 'φ'), ...Object.values(await this.first())].join('\n');
  }

  private async render(): Promise<Formulas> {
    const [maps, labs] = [await readRegistry(this.repository), await readLabs(this.web)];
    this.firstMaps = Object.values(labs).flatMap(({ first = [] }) => first);
    const prose = Object.entries(labs).map(([lab, { formulas }]) => [lab, formulas] as const);
    return renderFormulas(maps, Object.fromEntries(prose));
  }
}

export function formulas(source: FormulaSource): Plugin {
  return {
    name: 'attention-labs:formulas',
    resolveId(id) {
      return IDS.includes(id) ? resolved(id) : undefined;
    },
    async load(id) {
      if (id === resolved(PUBLIC_ID)) {
        return `export const first = ${JSON.stringify(await source.first())};`;
      }
      if (id === resolved(EXERCISES_ID)) {
        return `export const formulas = ${JSON.stringify(await source.exercises())};`;
      }
      const listed = LIST_IDS[id.slice(1) as keyof typeof LIST_IDS];
      if (listed) {
        const all = (await source.specifications())[listed]
          .map(({ id, lab, order, title, summary }) => ({ id, lab, order, title, summary }))
          .sort((a, b) => a.order - b.order);
        return `export const list = ${JSON.stringify(all)};`;
      }
      if (id !== resolved(ALL_ID)) return undefined;
      const { registry, prose } = await source.formulas();
      return [
        `export const registry = ${JSON.stringify(registry)};`,
        `export const prose = ${JSON.stringify(prose)};`,
      ].join('\n');
    },
    async handleHotUpdate({ file, server }) {
      if (!/[\\/](?:formulas\.ts|exercise\.ts|de\.ts|core\.wasm)$/.test(file)) return;
      source.forget();
      for (const id of IDS) {
        const module = server.moduleGraph.getModuleById(resolved(id));
        if (module) await server.reloadModule(module);
      }
    },
  };
}
