// Types for the parts of the shared plain JavaScript that these tests use.
declare module '*/chromium.mjs' {
  export function windowless(): string | undefined;
  export const chromiumFlags: readonly string[];
  export function launchWindowless(options?: object): Promise<import('playwright-core').Browser>;
}
declare module '*/serve.mjs' {
  export const types: Readonly<Record<string, string>>;
  export function serve(options: {
    root: string;
    csp?: string;
    basePath?: string;
    shared?: boolean;
  }): Promise<{ url: string; close(): Promise<void> }>;
}
declare module '*/readme.mjs' {
  export const strictCsp: string;
  export function embeddedLab(): string;
  export function heightListener(): string;
  export function gradedLab(): string;
}
declare module '*/build.mjs' {
  export const dist: string;
  export function buildSite(): void;
}
declare module '*/browsers.mjs' {
  export function firefox(): string | undefined;
  export function webkit(): { browser: string; driver: string; screen: string } | undefined;
}
declare module '*/package.mjs' {
  export function placeOf(out: string | undefined, name: string): string;
  type Options = import('../../web/src/embed/package/package').PackageOptions;
  export function packageOf(
    options: Omit<Options, 'title' | 'version' | 'shell'> & { readonly title?: string },
  ): Promise<Uint8Array>;
}
declare module '*/counterparts.mjs' {
  export function widgetManager(): string;
}
