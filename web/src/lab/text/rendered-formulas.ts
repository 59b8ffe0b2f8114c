/** Markup of the formulas in words, by their TeX. The build adds to each file of words its own. */
const formulas: Record<string, string> = {};

export function addFormulas(more: Readonly<Record<string, string>>): void {
  Object.assign(formulas, more);
}

export const formulaOf = (tex: string): string | undefined => formulas[tex];
