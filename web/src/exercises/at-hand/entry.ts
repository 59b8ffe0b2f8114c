/**
 * What a student has at hand, as data: the card beside the editor shows it, the editor completes from it, and
 * `tests/web/at-hand.test.ts` holds it to what each runtime really has. Lines are English in every language of the page.
 */
/** Names that share a line, separated by spaces; what they are, with code in back-ticks; and how one is written. */
export type Entry = readonly [names: string, what: string, example?: string];

export interface Group {
  readonly title: string;
  /** What stands before each name in code: `np.`, `x.`, `Matrix.`; nothing before a name of its own. */
  readonly before: string;
  readonly entries: readonly Entry[];
  /** Set where they are no names but ways of writing: one phrase each, with code in back-ticks. */
  readonly loose?: true;
}

export const namesOf = (groups: readonly Group[], before: string): string[] =>
  groups
    .filter((group) => group.before === before && !group.loose)
    .flatMap(({ entries }) => entries.flatMap(([names]) => names.split(' ')));

/** The line of a name, where one stands behind that prefix. */
export function lineOf(groups: readonly Group[], before: string, name: string): string | undefined {
  for (const group of groups) {
    if (group.before !== before || group.loose) continue;
    const entry = group.entries.find(([names]) => names.split(' ').includes(name));
    if (entry) return entry[1];
  }
  return undefined;
}
