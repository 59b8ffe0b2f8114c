/** What the course texts' snippets import or take for granted; loaded with the first that does. */
import { exerciseIds, loadSolution } from '../../exercises/catalog.ts';
import { courseModules, missingImports } from '../../exercises/python/course.ts';

const MODULES = /\b(?:kernel_trick|feature_maps|attention_surgeon|linear_attention|exercise)\b/;

export interface Prepared {
  readonly code: string;
  /** Lines that were put before it. */
  readonly before: string;
  readonly modules?: Readonly<Record<string, string>>;
}

let modules: Promise<Readonly<Record<string, string>>> | undefined;

function theModules(): Promise<Readonly<Record<string, string>>> {
  modules ??= Promise.all(
    exerciseIds.map(async (id) => [id, (await loadSolution(id, 'python')) ?? ''] as const),
  ).then((all) => courseModules(Object.fromEntries(all)));
  modules.catch(() => {
    modules = undefined;
  });
  return modules;
}

export async function prepared(written: string): Promise<Prepared> {
  const { before } = missingImports(written);
  const code = before + written;
  return { code, before, ...(MODULES.test(code) ? { modules: await theModules() } : {}) };
}
