/**
 * A page in a frame tells the page around it how tall it is, and the frame follows. So nothing on the page may follow
 * from the height of its window, in any style sheet and any script, but what is written in the two places that know of
 * it. One rule that did made a lab 33,554,432 pixels tall.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const web = fileURLToPath(new URL('../../web/', import.meta.url));
/** A style of these is at work only where the page is not in a frame. */
const ALONE = ':root:not([data-grown])';

const sources = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.(?:css|ts|js|mjs|html)$/.test(name))
  .map((name) => [name, readFileSync(join(web, name), 'utf8')] as const);

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));

const FORBIDDEN = [
  [/(?<![\w#])[\d.]+(?:[sld]?v(?:h|b|min|max)|cq(?:h|b|min|max))\b/, 'a unit of the height'],
  [/container-type:\s*size\b/, 'a container whose height is asked for'],
  [/\b(?:innerHeight|outerHeight|visualViewport|availHeight)\b/, "the window's height"],
  [/documentElement\.(?:client|offset)Height\b/, "the window's height"],
] as const;

/** What knows of the window's height: one token, what sets it in a frame, and what asks what a reader sees. */
const PLACES = new Set([
  'src/styles/tokens.css',
  'src/embed/tell-height.ts',
  'src/embed/window.ts',
]);

function found(name: string, text: string): string[] {
  return withoutComments(text)
    .split('\n')
    .flatMap((line, i) =>
      FORBIDDEN.filter(([pattern]) => pattern.test(line)).map(
        ([, what]) => `web/${name}:${i + 1} has ${what}: ${line.trim()}`,
      ),
    );
}

/** The selectors of a style sheet that stand in a question about the window's height. */
function asked(css: string): string[] {
  const text = withoutComments(css);
  const selectors: string[] = [];
  const opens = /@media[^{]*\b(?:height|aspect-ratio|orientation)\b[^{]*\{/g;
  for (const { index, 0: head } of text.matchAll(opens)) {
    let [depth, from] = [1, index + head.length];
    for (let at = from; depth > 0 && at < text.length; at++) {
      if (text[at] === '{') {
        if (depth === 1) selectors.push(text.slice(from, at).trim().replace(/\s+/g, ' '));
        depth++;
      } else if (text[at] === '}') {
        depth--;
        from = at + 1;
      }
    }
  }
  return selectors;
}

describe('the height of the window', () => {
  it('is known in one place only', () => {
    expect(sources.length).toBeGreaterThan(200);
    for (const place of PLACES) {
      const [, text] = sources.find(([name]) => name === place) ?? [];
      expect(found(place, text ?? ''), `${place} is one of the places`).not.toEqual([]);
    }
    const others = sources.filter(([name]) => !PLACES.has(name));
    expect(others.flatMap(([name, text]) => found(name, text))).toEqual([]);
  });

  it('is asked for only where the page is not in a frame', () => {
    const all = sources.flatMap(([name, text]) =>
      asked(text).map((selector) => [name, selector] as const),
    );
    expect(all.length).toBeGreaterThan(0);
    const wrong = all.filter(
      ([, selector]) =>
        !selector.split(/,(?![^(]*\))/).every((one) => one.trim().startsWith(ALONE)),
    );
    expect(wrong.map(([name, selector]) => `web/${name}: ${selector}`)).toEqual([]);
  });
});

describe('this test', () => {
  it.each([
    'height: 50vh;',
    'max-height: calc(100svh - 1rem);',
    'min-height: min(10rem, 3.5dvh)',
    'width: 20vmin',
    'height: 10cqh',
    'container-type: size;',
    'const { innerHeight } = window;',
    'visualViewport?.height',
  ])('sees %s', (line) => {
    expect(found('x', line)).toHaveLength(1);
  });

  it('sees what stands in a question about the height', () => {
    expect(
      asked('@media (width < 9em) and (height >= 30em) {\n a b { c: d }\n :root { e: f } }'),
    ).toEqual(['a b', ':root']);
    expect(asked('@media (width < 9em) { a { min-height: 3em } }')).toEqual([]);
  });
});
