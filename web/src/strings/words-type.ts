/** The shape of words without their letters: what another language has to fill. */
export type Words<T> = T extends string
  ? string
  : T extends (...args: infer A) => infer R
    ? (...args: A) => Words<R>
    : T extends number | boolean | undefined
      ? T
      : { readonly [K in keyof T]: Words<T[K]> };
