/** `split_heads` → `splitHeads`; what has no underscore stays. */
export const camelCase = (name: string): string =>
  name.replace(/_+([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
