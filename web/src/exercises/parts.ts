/** What `hide=` may take away from an exercise, on its page and in a lab. */
export const EXERCISE_PARTS = ['hints', 'solution'] as const;
export type ExercisePart = (typeof EXERCISE_PARTS)[number];

/** The address of an exercise's page, which hides what is hidden here. */
export function addressWith(page: string, hidden: readonly string[], id?: string): string {
  const query = [
    ...(id === undefined ? [] : [`id=${id}`]),
    ...(hidden.length > 0 ? [`hide=${hidden.join(',')}`] : []),
  ];
  return query.length === 0 ? page : `${page}?${['v=1', ...query].join('&')}`;
}
