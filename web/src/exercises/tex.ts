/** Where formulas stand in the words of an exercise; the build renders what the page then looks up. */

/** TeX between dollars. */
export const inlineTex = /\$([^$]+)\$/g;

/** The TeX of a paragraph that is nothing but a formula (`$…$` or `$$…$$`), for a line of its own. */
export function displayTex(paragraph: string): string | undefined {
  const tex = /^\s*\$\$?([^$]+)\$\$?[.,]?\s*$/.exec(paragraph)?.[1];
  return tex === undefined ? undefined : `\\displaystyle ${tex}`;
}
