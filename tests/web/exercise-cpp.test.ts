import { describe, expect, it } from 'vitest';
import { exercise as attention } from '../../web/exercises/attention/exercise';
import { type CppKind, cppParts } from '../../web/src/components/exercise/cpp-highlighting';
import { starterCpp } from '../../web/src/exercises/judge/starter-cpp';

const code = `#include "exercise.hpp"  // if it is there
inline double twice(double x) {
  return times(x, 2.5e1);  // a \`for\`
}
`;
const of = (kind: CppKind): string[] =>
  cppParts(code)
    .filter((part) => part.kind === kind)
    .map(({ text }) => text);

describe('the pieces of a C++ file', () => {
  it('are recognised by kind', () => {
    expect(of('keyword')).toEqual(['#include', 'inline', 'double', 'double', 'return']);
    expect(of('string')).toEqual(['"exercise.hpp"']);
    expect(of('comment')).toEqual(['// if it is there', '// a `for`']);
    expect(of('number')).toEqual(['2.5e1']);
    expect(of('name')).toEqual(['twice']);
  });

  it('make up the whole file', () => {
    for (const text of [code, '', starterCpp(attention)]) {
      expect(
        cppParts(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }
  });
});
