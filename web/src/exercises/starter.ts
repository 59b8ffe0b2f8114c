/**
 * Makes the file that a student begins with: the signature, the parameters and results in words, and a body that
 * throws.
 */

import { camelCase } from './camel-case';
import { types as cppTypes, signatureCpp, starterCpp } from './judge/starter-cpp';
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

/** The head of the function, as its file begins. */
export function signatureOf(exercise: Exercise, language: Language): string {
  if (language === 'cpp')
    return signatureCpp(exercise).replace(/ \{$/, '').replace(/\n +/g, '\n    ');
  const head = language === 'python' ? /^def .*\)(?=:$)/m : /^function .*\)(?= \{$)/m;
  return head.exec(starter(exercise, language))?.[0] ?? exercise.entry;
}

/** How a parameter arrives in a language. */
export const typeIn = ({ type, default: value }: Parameter, language: Language): string => {
  const { [type]: plain } = { python: pythonTypes, javascript: scriptTypes, cpp: cppTypes }[
    language
  ];
  if (value !== null) return plain;
  return {
    python: `${plain} or None`,
    javascript: `${plain} or null`,
    cpp: `std::optional<${plain}>`,
  }[language];
};

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

const pythonTypes: Record<Parameter['type'], string> = {
  matrix: 'ndarray',
  vector: 'ndarray',
  stack: 'ndarray',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  text: 'str',
  numbers: 'ndarray',
  texts: 'list',
  feature_map: 'function',
  dict: 'dict',
  drawing: 'None',
};

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
