import { type Build, builds } from './protocol';
import type { Factory } from './raw';

/** What `import.meta.glob` finds under `build/wasm`: a module's glue by the path of its file. */
export type Glues<Raw> = Readonly<Record<string, () => Promise<{ default: Factory<Raw> }>>>;

const glueOf = <Raw>(glues: Glues<Raw>, build: Build) =>
  Object.entries(glues).find(([path]) => path.split('/').at(-2) === build)?.[1];

/** The build asked for, or the next slower one where the site was built without it. */
export const nearest = (glues: Glues<unknown>, asked: Build): Build =>
  builds.slice(builds.indexOf(asked)).find((build) => glueOf(glues, build)) ?? asked;

/** The module of a build that is there. */
export async function loadGlue<Raw>(glues: Glues<Raw>, build: Build): Promise<Raw> {
  const glue = glueOf(glues, build);
  if (!glue) throw new Error(`this site was built without a ${build} build`);
  return (await glue()).default();
}
