/**
 * How a file was read where it can be read in more than one way, as a short text: links name it, and saved matrices keep
 * it. A table says what is a name: `h1n0`. An array says its member of the archive, if there is one, and which matrix
 * of it: `Q@0.3`.
 */

/** What of a table is read as names; what is left open is decided by the table. */
export interface TableReading {
  readonly header?: boolean;
  readonly names?: boolean;
  /** Commas are decimal marks, and every line is one number. */
  readonly commas?: boolean;
}

const flag = (letter: string, is: boolean | undefined): string =>
  is === undefined ? '' : `${letter}${is ? 1 : 0}`;

export const readingOfTable = ({ header, names, commas }: TableReading): string =>
  `${flag('h', header)}${flag('n', names)}${flag('c', commas)}`;

export function tableReading(reading: string): TableReading {
  const found = /^(?:h([01]))?(?:n([01]))?(?:c([01]))?$/.exec(reading);
  const is = (text: string | undefined): boolean => text === '1';
  return {
    ...(found?.[1] && { header: is(found[1]) }),
    ...(found?.[2] && { names: is(found[2]) }),
    ...(found?.[3] && { commas: is(found[3]) }),
  };
}

/** Which matrix of an array, and which array of an archive. */
export interface ArrayReading {
  /** Undefined for a file that is one array. */
  readonly member?: string | undefined;
  /** One index for each leading axis that is longer than 1; what is missing is 0. */
  readonly at: readonly number[];
}

export const readingOfArray = ({ member, at }: ArrayReading): string =>
  `${member === undefined ? '' : encodeURIComponent(member)}@${at.join('.')}`;

export function arrayReading(reading: string): ArrayReading {
  const found = /^([^@]*)@(\d{1,9}(?:\.\d{1,9})*)?$/.exec(reading);
  if (!found) return { at: [] };
  let member: string | undefined;
  try {
    member = found[1] ? decodeURIComponent(found[1]) : undefined;
  } catch {
    // What a link names so, no archive has.
  }
  return { member, at: found[2]?.split('.').map(Number) ?? [] };
}

/** The letter of a matrix in other words. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  q: ['q', 'query', 'queries'],
  k: ['k', 'key', 'keys'],
  v: ['v', 'value', 'values'],
};

/** The array that is called as the letter is: by its whole name, or else by a word of it. */
export function memberFor(members: readonly string[], letter: string): string | undefined {
  const names = CALLED[letter.toLowerCase()] ?? [];
  const words = (member: string): readonly string[] => member.toLowerCase().split(/[/._-]+/);
  return (
    members.find((member) => names.includes(member.toLowerCase())) ??
    members.find((member) => names.includes(words(member).at(-1) ?? '')) ??
    members.find((member) =>
      words(member.split('/').at(-1) ?? '').some((one) => names.includes(one)),
    )
  );
}
