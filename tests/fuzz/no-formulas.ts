/** Stands for `virtual:formulas`, which the site's build makes: a table of knobs needs none of it. */
export const registry = {};
