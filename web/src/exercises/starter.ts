/**
 * Makes the file that a student begins with: the signature, the parameters and results in words, and a body that
 * throws.
 */

import { camelCase } from './camel-case';
import { starterCpp } from './judge/starter-cpp';
import type { Exercise, Language, Parameter } from './types';

/** The words of a starter besides those of the exercise. */
export interface StarterWords {
  readonly returns: string;
  readonly and: string;
  readonly notWritten: string;
}

const english: StarterWords = { returns: 'Returns', and: 'and', notWritten: 'not written yet' };

/** Makes the starter. `exercise` is already in the student's language, and `words` are in that language too. */
export function starter(exercise: Exercise, language: Language, words = english): string {
  return { python, javascript, cpp: starterCpp }[language](exercise, words);
}

const withShape = ({ shape, what }: Parameter): string => (shape ? `${shape}, ${what}` : what);

function python(
  { entry, title, parameters, results }: Exercise,
  { returns, and, notWritten }: StarterWords,
): string {
  const values = { null: 'None', true: 'True', false: 'False' } as Record<string, string>;
  const list = parameters.map(({ name, default: value }) =>
    value === undefined ? name : `${name}=${values[String(value)] ?? value}`,
  );
  return `import numpy as np


def ${entry}(${list.join(', ')}):
    """${title}

${parameters.map((one) => `    ${one.name}: ${withShape(one)}\n`).join('')}
    ${returns} ${results.map((one) => `${one.name}: ${withShape(one)}`).join(`\n        ${and} `)}
    """
    raise NotImplementedError("${notWritten}")
`;
}

const scriptTypes: Record<Parameter['type'], string> = {
  matrix: 'Matrix',
  vector: 'Matrix',
  stack: 'Matrix[]',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  text: 'string',
  numbers: 'number[]',
  feature_map: '(x: Matrix) => Matrix',
  dict: 'object',
};

function javascript(
  { entry, title, parameters, results }: Exercise,
  { notWritten }: StarterWords,
): string {
  const list = parameters.map(({ name, default: value }) =>
    value === undefined ? camelCase(name) : `${camelCase(name)} = ${value}`,
  );
  const types = results.map(({ type }) => scriptTypes[type]);
  const type = types.length === 1 ? types[0] : `[${types.join(', ')}]`;
  return `/**
 * ${title}
 *
${parameters
  .map((one) => ` * @param {${scriptTypes[one.type]}} ${camelCase(one.name)} ${withShape(one)}\n`)
  .join(
    '',
  )} * @returns {${type}} ${results.map((one) => `${one.name}: ${withShape(one)}`).join('; ')}
 */
function ${camelCase(entry)}(${list.join(', ')}) {
  throw new Error('${notWritten}');
}
`;
}
