/** TeX of the lab's words stands in the words; this is what the first load needs. */
export const formulas = {};

/** The feature maps whose formulas are there from the start; the fonts' first pieces hold them. */
export const first = ['elu_plus_one'];
