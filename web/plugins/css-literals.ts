/** The style sheets of components are text in their scripts, so no minifier sees them: comments and indents go here. */
import type { Plugin } from 'vite';

const LITERAL = /\bcss`[^`]*`/g;

const withoutComments = (source: string): string =>
  source.replace(LITERAL, (sheet) => sheet.replace(/\/\*.*?\*\//gs, '').replace(/\s+/g, ' '));

export function cssLiterals(): Plugin {
  return {
    name: 'css-literals',
    apply: 'build',
    enforce: 'pre',
    transform(source, id) {
      if (!id.endsWith('.ts') || !source.includes('css`')) return null;
      return { code: withoutComments(source), map: null };
    },
  };
}
