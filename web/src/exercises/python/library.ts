/** The Python files that the runtime provides, by module name. */

const files = import.meta.glob<string>('./lib/**/*.py', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const library: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(files).map(([path, text]) => [
    path.slice('./lib/'.length, -'.py'.length).replaceAll('/', '.'),
    text,
  ]),
);
