/** Why the core does not start: what can go wrong before the other phrases are there. */
import type { Phrases } from '../problem.ts';
import { phraseBook, type Rule, rule } from './phrase-book.ts';

export const things: Readonly<Record<string, string>> = {
  'this browser has no WebAssembly': 'dieser Browser hat kein WebAssembly',
  'this browser is too old: it has no WebAssembly exceptions (Chrome 95, Firefox 100, Safari 15.2 and newer do)':
    'dieser Browser ist zu alt: er hat keine WebAssembly-Exceptions (Chrome 95, Firefox 100, Safari 15.2 und neuere haben sie)',
};

export const rules: readonly Rule[] = [
  rule(
    'the worker of the core was refused: (.+)',
    'der Worker des Rechenkerns wurde abgelehnt: $1',
  ),
  rule('the core could not be started: (.+)', 'der Rechenkern ließ sich nicht starten: $1'),
  rule(
    'the core stopped \\((.+)\\) and was restarted; please try again',
    'der Rechenkern ist stehen geblieben ($1) und wurde neu gestartet; bitte versuch es noch einmal',
  ),
];

export const phrases: Phrases = {
  phrase: phraseBook(things, rules),
  argument: (argument, seen, wanted) => `${argument}: gefunden: ${seen}; erwartet: ${wanted}`,
  link: (name, seen, wanted) => `Der Link sagt ${name} = ${seen}; erwartet: ${wanted}.`,
};
