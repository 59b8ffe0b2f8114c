/** What `style-src 'self'` forbids is not written anywhere, also not for a state of a page that no walk reaches. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const web = fileURLToPath(new URL('../../web/', import.meta.url));

const FORBIDDEN = [
  // `.style=${…}` in a template sets a property, which the policy allows; `font-style=` is not this attribute.
  [/(?<![.\w-])style=/, 'a style attribute'],
  [/<style\b/, 'a style element'],
  [/createElement\(\s*['"`]style\b/, 'a style element'],
  [/setAttribute\(\s*['"`]style\b/, 'a style attribute'],
  // Lit's directive writes the attribute when it renders for the first time.
  [/\bstyleMap\b/, 'styleMap'],
] as const;

const exempt = new Set([
  // It says how KaTeX's attributes are renamed.
  join('plugins', 'formulas.ts'),
  // It says lines for the pages of others, which have their own policies.
  join('pages', 'embed', 'snippets.ts'),
  // It writes fonts into a picture that is saved; the page's policy does not reach into a picture, as
  // tests/e2e/feature-maps.test.ts shows under it.
  join('src', 'export', 'page-fonts.ts'),
]);

it('no source of the site writes a style attribute or a style element', () => {
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:ts|js|html|svg)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((name) =>
    readFileSync(join(web, name), 'utf8')
      .split('\n')
      .flatMap((line, i) => {
        if (exempt.has(name)) return [];
        return FORBIDDEN.filter(([pattern]) => pattern.test(line)).map(
          ([, what]) => `web/${name}:${i + 1} has ${what}: ${line.trim()}`,
        );
      }),
  );
  expect(found).toEqual([]);
});
