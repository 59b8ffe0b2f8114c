/** Finds the formulas in the words of an exercise. The build renders these formulas, and the page looks them up. */

/** Matches TeX between dollars. */
export const inlineTex = /\$([^$]+)\$/g;

/** The TeX of a paragraph that is nothing but a formula (`$…$` or `$$…$$`), for a line of its own. */
export function displayTex(paragraph: string): string | undefined {
  const tex = /^\s*\$\$?([^$]+)\$\$?[.,]?\s*$/.exec(paragraph)?.[1];
  return tex === undefined ? undefined : `\\displaystyle ${tex}`;
}
