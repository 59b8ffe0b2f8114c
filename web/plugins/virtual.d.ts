/** Made by web/plugins/formulas.ts while the site is built. */
declare module 'virtual:formulas' {
  /** Markup of each feature map's φ and feature dimension, by the registry's id. */
  export const registry: Readonly<
    Record<string, { readonly phi: string; readonly dimension: string }>
  >;
  /** Markup of `web/labs/<lab>/formulas.ts`: `prose[lab][name]`. */
  export const prose: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The rules the markup needs, for a shadow root; the document has them from fonts.css. */
  export const css: string;
}
