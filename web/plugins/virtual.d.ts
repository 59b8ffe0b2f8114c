/** Made by web/plugins/formulas.ts while the site is built. */
declare module 'virtual:formulas' {
  /** Markup of φ, by the registry's id, of the feature maps that are on screen at first. */
  export const first: Readonly<Record<string, string>>;
}
declare module 'virtual:formulas/all' {
  /** Markup of each feature map's φ and feature dimension, by the registry's id. */
  export const registry: Readonly<
    Record<string, { readonly phi: string; readonly dimension: string }>
  >;
  /** Markup of `web/labs/<lab>/formulas.ts`: `prose[lab][name]`. */
  export const prose: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
declare module 'virtual:formulas/exercises' {
  /** Markup of the formulas in the exercises' words, by their TeX. */
  export const formulas: Readonly<Record<string, string>>;
}
/** A classic script, by its address: web/plugins/sandbox.ts. */
declare module '*?script' {
  const address: string;
  export default address;
}
declare module '@micropython/micropython-webassembly-pyscript/micropython.mjs' {
  export const loadMicroPython: import('../src/exercises/python/glue').LoadMicroPython;
}
declare module 'virtual:exercises/en' {
  export const list: readonly import('../src/exercises/list').ListedExercise[];
}
declare module 'virtual:exercises/de' {
  export const list: readonly import('../src/exercises/list').ListedExercise[];
}
declare module 'virtual:labs/openings' {
  /** What labs say before any script, by id and language. */
  export const openings: Readonly<
    Record<
      string,
      Readonly<
        Record<
          import('../src/strings/language').LanguageId,
          import('../src/lab/types').OpeningWords
        >
      >
    >
  >;
}
