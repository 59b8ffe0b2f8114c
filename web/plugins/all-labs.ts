/** Every lab with its words, for the build. */
export const labs = import.meta.glob('../labs/*/lab.ts', { eager: true });
export const openings = import.meta.glob('../labs/*/words/opening.ts', { eager: true });
export const words = import.meta.glob('../labs/*/words/{en,de}.ts', { eager: true });
