/** Phrases by themselves, and by patterns with numbers in them. */
export type Rule = readonly [
  pattern: RegExp,
  german: string | ((...parts: string[]) => string | undefined),
];

export const rule = (pattern: string, german: Rule[1]): Rule => [
  new RegExp(`^${pattern}$`),
  german,
];

/** Undefined for a phrase that is not in it. */
export const phraseBook =
  (things: Readonly<Record<string, string>>, rules: readonly Rule[]) =>
  (english: string): string | undefined => {
    // Numbers, shapes and what a visitor typed say the same in every language.
    if (!/[A-Za-z]{2}/.test(english.replace(/nan|inf|\de[-+]?\d|^['"].*['"]$/gis, '')))
      return english;
    const known = things[english];
    if (known !== undefined) return known;
    for (const [pattern, german] of rules) {
      const match = pattern.exec(english);
      if (!match) continue;
      return typeof german === 'string'
        ? english.replace(pattern, german)
        : german(...(match.slice(1) as string[]));
    }
    return undefined;
  };
