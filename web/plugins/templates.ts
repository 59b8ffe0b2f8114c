/** Takes the indentation out of Lit's templates: their line breaks mean nothing to a browser. */
import type { Plugin } from 'vite';

/** What ESTree and Vite's parser agree on. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Runs of white space with a line break in them become one space. */
export const shortenHtml = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

export const shortenCss = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    // A colon that a space follows ends a property's name; one in a selector has none.
    .replace(/: /g, ':')
    .replace(/;}/g, '}');

/** Every `html` and `css` template below a node. */
function* templates(node: Node): Generator<{ tag: string; quasis: readonly Node[] }> {
  if (node.type === 'TaggedTemplateExpression') {
    const [tag, quasi] = [node.tag as Node, node.quasi as Node];
    if (tag.type === 'Identifier') {
      yield { tag: String(tag.name), quasis: quasi.quasis as readonly Node[] };
    }
  }
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield* templates(child);
    }
  }
}

export function shortTemplates(): Plugin {
  return {
    name: 'attention-labs:short-templates',
    apply: 'build',
    transform(code, id) {
      if (!/\/web\/.*\.ts$/.test(id) || !/\b(?:html|css)`/.test(code)) return undefined;
      const edits: { start: number; end: number; short: string }[] = [];
      for (const { tag, quasis } of templates(this.parse(code) as unknown as Node)) {
        const shorten = { html: shortenHtml, css: shortenCss }[tag];
        if (!shorten) continue;
        for (const { start, end } of quasis) {
          edits.push({ start, end, short: shorten(code.slice(start, end)) });
        }
      }
      let [result, at] = ['', 0];
      for (const { start, end, short } of edits.sort((x, y) => x.start - y.start)) {
        result += code.slice(at, start) + short;
        at = end;
      }
      return { code: result + code.slice(at), map: null };
    },
  };
}
