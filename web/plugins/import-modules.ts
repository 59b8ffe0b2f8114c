/** Imports TypeScript modules in Node, as the site would bundle them. */
const ENTRY = 'virtual:modules-of-folders';

/** The exports of each file, by its path. One run for all files: starting one takes longest. */
export async function importModules(
  files: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const { runnerImport } = await import('vite');
  const lines = files.map((file, i) => `export * as module${i} from ${JSON.stringify(file)};`);
  const { module } = await runnerImport<Record<string, Record<string, unknown>>>(ENTRY, {
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'attention-labs:modules-of-folders',
        resolveId: (id) => (id === ENTRY ? `\0${ENTRY}` : undefined),
        load: (id) => (id === `\0${ENTRY}` ? `${lines.join('\n')}\nexport {};` : undefined),
      },
    ],
  });
  return new Map(files.map((file, i) => [file, module[`module${i}`] ?? {}]));
}
