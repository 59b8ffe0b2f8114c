/** The name of a folder, a step or an exercise: no slash, and no dots that lead elsewhere. */
export const isShort = (name: string): boolean => /^[\w-]+$/.test(name);
