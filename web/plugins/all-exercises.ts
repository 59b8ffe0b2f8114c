/** Every exercise, and its words in other languages than English, for the build. */
export const modules = import.meta.glob('../exercises/*/exercise.ts', { eager: true });
export const translations = {
  de: import.meta.glob('../exercises/*/de.ts', { eager: true }),
};
