/** The TeX of a paragraph `$$…$$`, as the build renders it. */
export function displayTexOf(text: string): string | undefined {
  const tex = /^\s*\$\$([^$]+)\$\$\s*$/.exec(text)?.[1];
  return tex === undefined ? undefined : `\\displaystyle ${tex}`;
}
