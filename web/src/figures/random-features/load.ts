/** Its words, then the figure itself. */
import { words } from './words.ts';

export const load = (): Promise<unknown> => words.with(() => import('./random-features.ts'));
