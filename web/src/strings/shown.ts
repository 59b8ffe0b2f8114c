/** A value of somebody's file as a message repeats it: JSON has words for whatever a file can hold. */
export const shown = (value: unknown): string => `${JSON.stringify(value)}`.slice(0, 40);
