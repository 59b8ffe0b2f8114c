/** Where the modules come from: `build/wasm/<build>/<module>.{mjs,wasm}`, as Vite finds them. */
import { type Build, builds, type ModuleName } from './protocol';
import type { Factory } from './raw';
import type { Prepared } from './server';

/** What `import.meta.glob` finds under `build/wasm`: the glues and the addresses of the binaries, by path. */
export interface ModuleFiles<Raw> {
  readonly glues: Readonly<Record<string, () => Promise<{ default: Factory<Raw> }>>>;
  readonly binaries: Readonly<Record<string, string>>;
}

const fileOf = <T>(files: Readonly<Record<string, T>>, build: Build, name: string): T | undefined =>
  Object.entries(files).find(([path]) => path.endsWith(`/${build}/${name}`))?.[1];

/** The build asked for, or the next slower one where the site was built without it. */
export const nearest = ({ glues }: Pick<ModuleFiles<unknown>, 'glues'>, asked: Build): Build =>
  builds.slice(builds.indexOf(asked)).find((build) => fileOf(glues, build, 'start.mjs')) ?? asked;

/** Downloads and compiles a module without giving it memory. */
export async function prepareModule<Raw>(
  { glues, binaries }: ModuleFiles<Raw>,
  module: ModuleName,
  build: Build,
): Promise<Prepared<Raw>> {
  const glue = fileOf(glues, build, `${module}.mjs`);
  const address = fileOf(binaries, build, `${module}.wasm`);
  if (!glue || !address) throw new Error(`this site was built without a ${build} build`);
  const [{ default: make }, binary] = await Promise.all([glue(), compile(address)]);
  return () =>
    make({
      instantiateWasm: (imports, done) => {
        const instance = new WebAssembly.Instance(binary, imports);
        done(instance);
        return instance.exports;
      },
    });
}

async function compile(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} for ${address}`);
  // Some file servers do not know what a .wasm file is.
  const known = response.headers.get('content-type')?.startsWith('application/wasm');
  return known
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}
