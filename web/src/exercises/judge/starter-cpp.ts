/** Makes the C++ file that a student starts from: the task in words, the signature, and a body that throws. */

import type { Exercise, Parameter, ParameterType } from '../types.ts';
import { plainText, wrap } from './plain-text.ts';

/** By the parameter's type. */
export const types: Readonly<Record<ParameterType, string>> = {
  matrix: 'Array',
  vector: 'Array',
  stack: 'Array',
  number: 'double',
  integer: 'std::int64_t',
  boolean: 'bool',
  text: 'std::string',
  numbers: 'std::vector<double>',
  texts: 'std::vector<std::string>',
  feature_map: 'FeatureMap',
  dict: 'std::map<std::string, double>',
  drawing: 'void',
};
/** The types that are passed by value; all others are passed by reference. */
const small = new Set(['double', 'std::int64_t', 'bool']);

const width = 100;

function argument({ name, type, default: value }: Parameter): string {
  const plain = types[type];
  if (value === null) return `const std::optional<${plain}>& ${name} = std::nullopt`;
  const declared = small.has(plain) ? `${plain} ${name}` : `const ${plain}& ${name}`;
  if (value === undefined) return declared;
  return `${declared} = ${type === 'number' && Number.isInteger(value) ? `${value}.0` : JSON.stringify(value)}`;
}

function result({ results }: Exercise): string {
  const all = results.map(({ type }) => types[type]);
  return all.length === 1 ? (all[0] ?? 'void') : `std::tuple<${all.join(', ')}>`;
}

/**
 * Breaks words into lines of at most `width` characters. The first line begins with `first`, the others with
 * `indent`.
 */
function filled(words: readonly string[], first: string, indent: string): string[] {
  const lines = [first];
  for (const word of words) {
    const last = lines[lines.length - 1] ?? '';
    const line = `${last}${/[( ]$/.test(last) ? '' : ' '}${word}`;
    if (line.length <= width || last === first) lines[lines.length - 1] = line;
    else lines.push(indent + word);
  }
  return lines;
}

/** `inline Array attention(const Array& Q, …) {`, broken as clang-format does. */
export function signatureCpp(exercise: Exercise): string {
  const args = exercise.parameters.map(argument);
  const words = args.map((text, i) => (i < args.length - 1 ? `${text},` : `${text}) {`));
  const head = `inline ${result(exercise)} ${exercise.entry}(`;
  const aligned = filled(words, head, ' '.repeat(head.length));
  const fits = aligned.every((text) => text.length <= width);
  return (fits ? aligned : [head, ...filled(words, '    ', '    ')]).join('\n');
}

/** One parameter as a line, such as "Q: n×d_k, the queries". */
function line({ name, shape, type, what }: Parameter): string {
  const kinds: Partial<Record<ParameterType, string>> = {
    dict: 'named numbers',
    feature_map: 'a function',
    vector: `${shape ?? 'n'} numbers`,
    numbers: 'a list of numbers',
    texts: 'a list of texts',
  };
  const kind = kinds[type] ?? shape ?? '';
  return kind ? `${name}: ${kind}, ${plainText(what)}` : `${name}: ${plainText(what)}`;
}

/** The starter file of an exercise. It compiles, and throws `NotWritten` when it is called. */
export function starterCpp(exercise: Exercise): string {
  const paragraphs = [
    exercise.title,
    ...exercise.task.map(plainText),
    ...exercise.parameters.map(line),
    `Returns ${exercise.results.map(line).join('; ')}`,
  ];
  const first = 1 + exercise.task.length;
  const comment = paragraphs.flatMap((text, i) => {
    const lines = wrap(text, width - 3 - (i >= first ? 2 : 0));
    const shown = lines.map((one, j) => `// ${i >= first && j > 0 ? '  ' : ''}${one}`);
    // A blank line separates paragraphs; the parameters stay together.
    return i > 0 && i <= first ? ['//', ...shown] : shown;
  });
  return [
    '#pragma once',
    ...comment,
    '//',
    `// Try it: npm run exercise -- ${exercise.id}`,
    '',
    '#include "exercise.hpp"',
    '',
    signatureCpp(exercise),
    exercise.given?.cpp ?? `  throw NotWritten("${exercise.entry}");`,
    '}',
    '',
  ].join('\n');
}

/** The doctest file that stands beside the starter file. */
export function testCpp(exercise: Exercise): string {
  const head = `TEST_CASE("${exercise.id}") {`;
  const call = `exercise::check("${exercise.id}", ${exercise.entry});`;
  const test = `${head} ${call} }`.length <= width ? `${head} ${call} }` : `${head}\n  ${call}\n}`;
  return [
    `// The cases come from web/exercises/${exercise.id}/exercise.ts.`,
    `#include "${exercise.id}.hpp"`,
    '',
    '#include <doctest/doctest.h>',
    '',
    '#include "harness.hpp"',
    '',
    test,
    '',
  ].join('\n');
}
