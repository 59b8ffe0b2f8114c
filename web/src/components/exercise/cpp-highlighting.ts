/** Splits C++ into the pieces that get a colour. It is good enough for our own files, which are only shown. */

export type CppKind = 'comment' | 'string' | 'keyword' | 'number' | 'name';

export interface CppPart {
  readonly kind?: CppKind;
  readonly text: string;
}

const keywords =
  'auto|bool|const|constexpr|double|else|false|float|for|if|inline|int|nullptr|return|struct|template|throw|true|typename|using|void|while';

/** The order matters: a keyword inside a comment belongs to the comment. */
const pieces = new RegExp(
  [
    String.raw`(?<comment>\/\/[^\n]*)`,
    String.raw`(?<string>"(?:[^"\\\n]|\\.)*")`,
    String.raw`(?<keyword>^#\w+|\b(?:${keywords})\b)`,
    String.raw`(?<number>\b\d[\d.]*(?:e[+-]?\d+)?\b)`,
    // The function that is defined: the only one whose line begins at the margin.
    String.raw`(?<name>(?<=^inline [^\n(]*)\b\w+(?=\())`,
  ].join('|'),
  'gm',
);

export function cppParts(code: string): CppPart[] {
  const parts: CppPart[] = [];
  let from = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(pieces)) {
    if (index > from) parts.push({ text: code.slice(from, index) });
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) as CppKind;
    parts.push({ kind, text });
    from = index + text.length;
  }
  if (from < code.length) parts.push({ text: code.slice(from) });
  return parts;
}
