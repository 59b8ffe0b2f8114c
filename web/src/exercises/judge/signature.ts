/** Reads in what order a student's function takes its arguments. */

import { camelCase } from '../camel-case';
import type { ArgumentOrder, Exercise, Language } from '../types';

/** The head of the last function of that name, or of an arrow that is given the name. */
function headOf(code: string, entry: string, language: Language): string | undefined {
  const name = entry.replace(/\$/g, '\\$&');
  const head =
    language === 'python'
      ? new RegExp(`^def\\s+${name}\\s*\\(([^)]*)\\)`, 'gm')
      : new RegExp(
          `(?:function\\s+${name}\\s*|\\b${name}\\s*=\\s*(?:function\\s*)?)\\(([^)]*)\\)`,
          'g',
        );
  return [...code.matchAll(head)].at(-1)?.[1];
}

/**
 * Arguments come by their place. A function that names the parameters of the task in another order computes with the
 * wrong ones, whatever its body says; undefined where the order is that of the task.
 */
export function argumentsOutOfOrder(
  { entry, parameters }: Pick<Exercise, 'entry' | 'parameters'>,
  language: Language,
  code: string,
): ArgumentOrder | undefined {
  const spelled = (name: string): string => (language === 'javascript' ? camelCase(name) : name);
  const head = headOf(code, spelled(entry), language);
  if (head === undefined) return undefined;
  const wanted = parameters.map(({ name }) => spelled(name));
  const written = head.split(',').map((part) => /[\p{L}_$][\p{L}\p{Nd}_$]*/u.exec(part)?.[0] ?? '');
  const places = written.map((name) => wanted.indexOf(name)).filter((place) => place >= 0);
  const inOrder = places.every((place, at) => at === 0 || place > (places[at - 1] as number));
  return inOrder ? undefined : { wanted, written };
}
