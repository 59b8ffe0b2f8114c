/** Tests that the README's tables say what package.json says: every command, and every package with its reason. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(`${repository}${path}`, 'utf8');
const readme = read('README.md');

interface Package {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly overrides?: unknown;
}
const packageOf = (folder: string): Package => JSON.parse(read(`${folder}package.json`)) as Package;
const own = packageOf('');
const peers = packageOf('tests/bench/peers/');
const namesOf = ({ dependencies = {}, devDependencies = {} }: Package): string[] =>
  Object.keys({ ...dependencies, ...devDependencies });

/** The rows of the README's table below a heading, as lists of cells. */
function rows(heading: string): string[][] {
  const part = readme.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const lines = part.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}
const quoted = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one);

describe('commands', () => {
  /** Every script that a row names, with the text up to the next one: its options are there. */
  const named = rows('Commands').flatMap((cells) => {
    const [, ...parts] = cells.join(' ').split(/npm (?:run )?([\w:-]+)/);
    return parts.flatMap((script, at) => (at % 2 ? [] : [{ script, text: parts[at + 1] ?? '' }]));
  });

  test('each has its row or is named in one', () => {
    const scripts = new Set(named.map(({ script }) => script));
    expect([...scripts].sort()).toEqual(Object.keys(own.scripts ?? {}).sort());
  });

  const options = named.flatMap(({ script, text }) =>
    [...text.matchAll(/(?:^|[\s`[])--([a-z][\w-]*)/g)].map(([, option = '']) => ({
      script,
      option,
    })),
  );
  test.each(options)('$script has --$option', ({ script, option }) => {
    const [file = ''] = /\S+\.mjs/.exec(own.scripts?.[script] ?? '') ?? [];
    // Every command that sets up has the options of the set-up.
    const source = read(file) + read('wasm/tools/setup.mjs');
    expect(source).toMatch(new RegExp(`--${option}\\b|\\b${option}:`));
  });
});

describe('packages', () => {
  /** The first cell of a row has npm's names in code; what the system brings has a name in words. */
  const reasons = rows('Dependencies').map(([names = '', why = '']) => ({
    names: quoted(names),
    why,
  }));
  const stated = reasons.flatMap(({ names }) => names);
  const fits = (pattern: string, name: string): boolean =>
    pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
  const packages = [...namesOf(own), ...namesOf(peers)];

  test.each(packages)('%s has a row', (name) => {
    expect(stated.filter((pattern) => fits(pattern, name))).toHaveLength(1);
  });

  test.each(stated)('the row of %s is about a package that is there', (pattern) => {
    expect(packages.filter((name) => fits(pattern, name))).not.toEqual([]);
  });

  /** Whether a source imports the package, names a file of it, or asks for its types. */
  function isUsed(name: string): boolean {
    const places = ['*.ts', '*.mjs', '*.css', '*.html', 'tsconfig.json'];
    const scope = name.startsWith('@types/') ? name.slice('@types/'.length) : name;
    const found = spawnSync(
      'git',
      ['grep', '--untracked', '-qE', `['"/]${scope}(/[^'"]*)?['"]`, '--', ...places],
      { cwd: repository },
    );
    return found.status === 0;
  }

  test.each(packages)('%s is used', (name) => {
    const askedFor = (other: string): boolean =>
      existsSync(`${repository}node_modules/${other}/package.json`) &&
      name in (packageOf(`node_modules/${other}/`).peerDependencies ?? {});
    // A package may be there because another one wants it beside itself.
    expect(isUsed(name) || namesOf(own).some(askedFor)).toBe(true);
  });

  test('none stands in for another', () => {
    expect(own.overrides).toBeUndefined();
    const { packages: locked } = JSON.parse(read('package-lock.json')) as {
      readonly packages: Readonly<Record<string, { readonly name?: string }>>;
    };
    // npm writes the name down where a package lies under the name of another.
    const aliases = Object.entries(locked).filter(([path, { name }]) => path !== '' && name);
    expect(aliases.map(([path]) => path)).toEqual([]);
  });
});
