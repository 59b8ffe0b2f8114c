/** `split_heads` becomes `splitHeads`. A name without an underscore stays as it is. */
export const camelCase = (name: string): string =>
  name.replace(/_+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
