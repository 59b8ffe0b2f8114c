// Types for the parts of the shared plain JavaScript that these tests use.
declare module '*/suites.mjs' {
  export const suites: Readonly<
    Record<string, { readonly presets?: readonly string[] } | (() => Promise<unknown>)>
  >;
}
declare module '*/setup.mjs' {
  export function mayInstall(how: {
    install: boolean;
    ci: boolean;
    terminal: boolean;
    root: boolean;
  }): 'yes' | 'ask' | 'no';
}
