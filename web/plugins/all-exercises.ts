/** Every exercise, for the build. */
export const modules = import.meta.glob('../exercises/*/exercise.ts', { eager: true });
