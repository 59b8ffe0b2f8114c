/** Loads the figure's words and then the figure. */
import { words } from './words.ts';

export const load = (): Promise<unknown> => words.with(() => import('./taylor-exp.ts'));
