/** Made by web/plugins/formulas.ts while the site is built. */
declare module 'virtual:formulas' {
  /** Markup of each feature map's φ and feature dimension, by the registry's id. */
  export const registry: Readonly<
    Record<string, { readonly phi: string; readonly dimension: string }>
  >;
}
declare module 'virtual:formulas/exercises' {
  /** Markup of the formulas in the exercises' words, by their TeX. */
  export const formulas: Readonly<Record<string, string>>;
}
/** A classic script, by its address: web/plugins/classic-scripts.ts. */
declare module '*?script' {
  const address: string;
  export default address;
}
declare module '@micropython/micropython-webassembly-pyscript/micropython.mjs' {
  export const loadMicroPython: import('../src/exercises/python/micropython-glue').LoadMicroPython;
}
/** The words of a lab: web/plugins/labs.ts, from Markdown. */
declare module '*.md' {
  export const words: import('../src/lab/types').LabWords;
}
declare module 'virtual:labs/openings' {
  /** What labs say before any script, by id and language. */
  export const openings: Readonly<
    Record<
      string,
      import('../src/strings/language').EnglishFirst<import('../src/lab/types').OpeningWords>
    >
  >;
}
declare module 'virtual:labs/steps' {
  /** The steps of each lab, by its id and language. */
  export const steps: Readonly<
    Record<
      string,
      import('../src/strings/language').EnglishFirst<readonly import('./labs').ListedStep[]>
    >
  >;
}
declare module 'virtual:exercises/en' {
  export const groups: readonly import('../src/exercises/exercise-list').ListedGroup[];
  export const list: readonly import('../src/exercises/exercise-list').ListedExercise[];
}
declare module 'virtual:exercises/de' {
  export const groups: readonly import('../src/exercises/exercise-list').ListedGroup[];
  export const list: readonly import('../src/exercises/exercise-list').ListedExercise[];
}
/** The book that Lab 1 reads: web/plugins/book.ts. */
declare module 'virtual:book' {
  /** Where it is, and how large it is as it lies there and compressed. */
  export const book: { readonly address: string; readonly bytes: number; readonly zipped: number };
}
