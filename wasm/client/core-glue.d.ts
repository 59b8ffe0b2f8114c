declare module '*/core.mjs' {
  const createCore: import('./raw').CoreFactory;
  export default createCore;
}
