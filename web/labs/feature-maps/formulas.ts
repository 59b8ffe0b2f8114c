/** The formulas of the prose, TeX. Rendered when the site is built. */
export const formulas = {
  softmax: String.raw`\displaystyle A_{ij} = \frac{e^{\,q_i \cdot k_j/\sqrt{d_k}}}{\sum_l e^{\,q_i \cdot k_l/\sqrt{d_k}}}`,
  implicit: String.raw`\displaystyle \tilde A_{ij} = \frac{\varphi(q_i)\cdot\varphi(k_j)}{\varphi(q_i)\cdot\sum_l \varphi(k_l)}`,
  phi: String.raw`\varphi`,
  n: 'n',
  n2: 'n^2',
};

/** The feature maps whose formulas are there from the start; the fonts' first pieces hold them. */
export const first = ['elu_plus_one'];
