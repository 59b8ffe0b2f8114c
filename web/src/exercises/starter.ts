/** What a student begins with: signature, what it takes and gives, and a body that refuses. */

import { camelCase } from './names';
import type { Exercise, Language, Parameter } from './types';

export const notWritten = 'not written yet';

export function starter(exercise: Exercise, language: Language): string {
  return { python, javascript, cpp }[language](exercise);
}

const withShape = ({ shape, what }: Parameter): string => (shape ? `${shape}, ${what}` : what);

function python({ entry, title, parameters, results }: Exercise): string {
  const values = { null: 'None', true: 'True', false: 'False' } as Record<string, string>;
  const list = parameters.map(({ name, default: value }) =>
    value === undefined ? name : `${name}=${values[String(value)] ?? value}`,
  );
  return `import numpy as np


def ${entry}(${list.join(', ')}):
    """${title}

${parameters.map((one) => `    ${one.name}: ${withShape(one)}\n`).join('')}
    Returns ${results.map((one) => `${one.name}: ${withShape(one)}`).join('\n        and ')}
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

function javascript({ entry, title, parameters, results }: Exercise): string {
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

const cppTypes: Record<Parameter['type'], string> = {
  matrix: 'const Array&',
  vector: 'const Array&',
  stack: 'const Array&',
  number: 'double',
  integer: 'std::int64_t',
  boolean: 'bool',
  text: 'const std::string&',
  numbers: 'const std::vector<double>&',
  feature_map: 'const FeatureMap&',
  dict: 'const std::map<std::string, double>&',
};

const cppResults: Partial<Record<Parameter['type'], string>> = {
  matrix: 'Array',
  vector: 'Array',
  stack: 'Array',
  text: 'std::string',
  numbers: 'std::vector<double>',
  dict: 'std::map<std::string, double>',
};

function cpp({ entry, title, parameters, results }: Exercise): string {
  const list = parameters.map(({ name, type, default: value }) => {
    if (value === null) return `const std::optional<Array>& ${name} = std::nullopt`;
    const number = type === 'number' && Number.isInteger(value) ? `${value}.0` : value;
    return `${cppTypes[type]} ${name}${value === undefined ? '' : ` = ${number}`}`;
  });
  const types = results.map(({ type }) => cppResults[type] ?? cppTypes[type]);
  const type = types.length === 1 ? types[0] : `std::tuple<${types.join(', ')}>`;
  const unused = parameters.map(({ name }) => `  (void)${name};\n`).join('');
  return `#pragma once

#include "exercise.hpp"

// ${title}
//
${parameters.map((one) => `// ${one.name}: ${withShape(one)}\n`).join('')}// Returns ${results.map((one) => `${one.name}: ${withShape(one)}`).join('; ')}
inline ${type} ${entry}(${list.join(', ')}) {
${unused}  throw std::logic_error("${notWritten}");
}
`;
}
