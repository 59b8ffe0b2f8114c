/** For names that are spoken or stand in a file: without marks. */
export const spoken = (text: string): string =>
  text
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/[$`*{}\\]/g, '')
    .trim();
