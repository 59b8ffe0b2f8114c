/** Two pieces of code, line beside line. */
import { diffArrays } from 'diff';

/** A line of either, or of both; a line that stands in one of them alone differs. */
export interface LinePair {
  readonly yours?: string;
  readonly ours?: string;
  readonly same: boolean;
}

/** Spaces at the end of a line and empty lines around the code make no difference. */
const linesOf = (code: string): string[] =>
  code
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '')
    .split('\n');

/** Lines that differ stand beside each other as far as there are as many on both sides. */
export function linesBeside(yours: string, ours: string): readonly LinePair[] {
  const pairs: LinePair[] = [];
  let [own, other]: [string[], string[]] = [[], []];
  const settle = (): void => {
    for (let at = 0; at < Math.max(own.length, other.length); ++at) {
      const [left, right] = [own[at], other[at]];
      pairs.push({
        ...(left !== undefined && { yours: left }),
        ...(right !== undefined && { ours: right }),
        same: false,
      });
    }
    [own, other] = [[], []];
  };
  for (const { value, added, removed } of diffArrays(linesOf(yours), linesOf(ours))) {
    if (removed) own.push(...value);
    else if (added) other.push(...value);
    else {
      settle();
      for (const line of value) pairs.push({ yours: line, ours: line, same: true });
    }
  }
  settle();
  return pairs;
}
