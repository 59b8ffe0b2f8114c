declare module '*/core.mjs' {
  const createCore: import('./raw').CoreFactory;
  export default createCore;
}

declare module '*/full.mjs' {
  const createFull: import('./raw').Factory<import('./full/raw').RawFull>;
  export default createFull;
}
