/** What a question says in the place of a picture. It comes with the questions, after the first load. */
import { type LanguageId, language } from '../../strings/language.ts';

interface QuestionWords {
  readonly guessOnAxis: string;
  readonly guessFirst: string;
  readonly answerAbove: string;
  readonly drawCurve: string;
  readonly yourGuess: string;
  readonly computed: string;
}

const both: Readonly<Record<LanguageId, QuestionWords>> = {
  en: {
    guessOnAxis: 'Drag on this line to where you expect it, then commit.',
    guessFirst: 'Choose what you expect, then commit; the answer is shown here.',
    answerAbove: 'This would answer the question further up. It waits for your answer there.',
    drawCurve: 'Draw here what you expect, from left to right, then commit.',
    yourGuess: 'Your answer',
    computed: 'Computed',
  },
  de: {
    guessOnAxis: 'Zieh auf dieser Linie dahin, wo du es erwartest, und leg dich fest.',
    guessFirst: 'Wähle, was du erwartest, und leg dich fest; dann steht die Antwort hier.',
    answerAbove: 'Das würde die Frage weiter oben beantworten und wartet auf deine Antwort dort.',
    drawCurve: 'Zeichne hier von links nach rechts, was du erwartest, und leg dich fest.',
    yourGuess: 'Deine Antwort',
    computed: 'Berechnet',
  },
};

export const questionWords = both[language];
