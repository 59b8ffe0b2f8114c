import type { Language } from '../types.ts';
import type { Group } from './entry.ts';

/** What a language has here, loaded when its card is opened. */
export const atHand = async (language: Language): Promise<readonly Group[]> => {
  if (language === 'python') return (await import('./python.ts')).python;
  if (language === 'javascript') return (await import('./javascript.ts')).javascript;
  return (await import('./cpp.ts')).cpp;
};
