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
  readonly draws: string;
  readonly and: string;
  readonly notWritten: string;
}

const english: StarterWords = {
  returns: 'Returns',
  draws: 'Draws',
  and: 'and',
  notWritten: 'not written yet',
};

/** Makes the starter. `exercise` is already in the student's language, and `words` are in that language too. */
export function starter(exercise: Exercise, language: Language, words = english): string {
  return { python, javascript, cpp: starterCpp }[language](exercise, words);
}

const withShape = ({ shape, what }: Parameter): string => (shape ? `${shape}, ${what}` : what);

function python(
  { entry, title, parameters, results, given }: Exercise,
  { returns, draws, and, notWritten }: StarterWords,
): string {
  const values = { null: 'None', true: 'True', false: 'False' } as Record<string, string>;
  const list = parameters.map(({ name, default: value }) =>
    value === undefined ? name : `${name}=${values[String(value)] ?? JSON.stringify(value)}`,
  );
  const drawn = results.some(({ type }) => type === 'drawing');
  return `${drawn ? 'import matplotlib.pyplot as plt\n' : ''}import numpy as np


def ${entry}(${list.join(', ')}):
    """${title}

${parameters.map((one) => `    ${one.name}: ${withShape(one)}\n`).join('')}
    ${drawn ? draws : returns} ${results.map((one) => `${one.name}: ${withShape(one)}`).join(`\n        ${and} `)}
    """
${given?.python ?? `    raise NotImplementedError("${notWritten}")`}
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
  texts: 'string[]',
  feature_map: '(x: Matrix) => Matrix',
  dict: 'object',
  drawing: 'void',
};

function javascript(
  { entry, title, parameters, results, given }: Exercise,
  { notWritten }: StarterWords,
): string {
  const list = parameters.map(({ name, default: value }) =>
    value === undefined ? camelCase(name) : `${camelCase(name)} = ${JSON.stringify(value)}`,
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
${given?.javascript ?? `  throw new Error('${notWritten}');`}
}
`;
}
