declare module 'virtual:labs' {
  /** Every lab of the course map, in order: web/plugins/course-map.ts. */
  export const labs: readonly import('./course-progress').MapLab[];
}
