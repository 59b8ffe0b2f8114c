declare module 'virtual:labs' {
  /** Every lab of the course map, in order: web/plugins/home.ts. */
  export const labs: readonly import('./standing').MapLab[];
}
