/** The words of the course map. The build writes them into the page in every language. */
import type { LanguageId } from '../strings/language.ts';

export interface HomeWords {
  readonly heading: string;
  readonly lead: string;
  /** The one button of the first screen. */
  readonly start: string;
  readonly noscript: string;
  /** What stands in the figure before the visitor types. */
  readonly sentence: string;
  readonly why: string;
  readonly course: string;
  readonly how: string;
  readonly unwritten: string;
  readonly groupExercises: (exercises: number) => string;
  readonly afterwards: string;
  readonly minutes: (minutes: number) => string;
  readonly buildsOn: (labs: string) => string;
  readonly steps: (steps: number) => string;
  /** How many there are, and how long they take together. */
  readonly exercises: (exercises: number, minutes: number) => string;
  readonly stepsDone: (done: number, of: number) => string;
  readonly passed: (passed: number, of: number) => string;
  readonly begin: string;
  readonly goOn: (step: string) => string;
  readonly allDone: string;
  readonly kept: string;
  readonly beside: string;
  readonly exercisesTitle: string;
  readonly exercisesText: string;
  readonly speedTitle: string;
  readonly speedText: string;
  readonly authors: string;
  readonly licence: string;
  readonly source: string;
  readonly instructors: string;
}

const plural = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

export const homeWords: Readonly<Record<LanguageId, HomeWords>> = {
  en: {
    heading: 'Twice the text, four times the work.',
    lead: 'A free course on how language models read, in labs that run in your browser.',
    start: 'Start',
    noscript: 'The figure that stands here is computed in your browser, which needs JavaScript.',
    sentence: 'the cat sat on the mat and the dog sat too',
    why: 'Why this matters: a model that is to read a whole book meets every pair of its words, or it keeps a table that fits on a stamp. This course shows what each choice costs and what the small table forgets.',
    course: 'The course',
    how: 'Each lab asks one question and answers it with live figures. You turn the knobs; a C++ core, compiled to WebAssembly, computes every number in your browser. Nothing is sent anywhere.',
    unwritten: 'The labs of this part are being written.',
    groupExercises: (exercises) =>
      `${plural(exercises, 'exercise is', 'exercises are')} there already.`,
    afterwards: 'Afterwards you can',
    minutes: (minutes) => `about ${plural(minutes, 'minute', 'minutes')} to read and try`,
    buildsOn: (labs) => `builds on ${labs}`,
    steps: (steps) => plural(steps, 'step', 'steps'),
    exercises: (exercises, minutes) =>
      `${plural(exercises, 'exercise', 'exercises')}, ${plural(minutes, 'minute', 'minutes')}`,
    stepsDone: (done, of) => `${done} of ${plural(of, 'step', 'steps')} done`,
    passed: (passed, of) => `${passed} of ${plural(of, 'exercise', 'exercises')} passed`,
    begin: 'Begin here',
    goOn: (step) => `Go on with “${step}”`,
    allDone: 'You have done every step of every lab.',
    kept: 'What you have done is kept in this browser and sent nowhere.',
    beside: 'Beside the labs',
    exercisesTitle: 'Exercises',
    exercisesText:
      'Write the functions of attention yourself, in Python, JavaScript or C++. They are tested at once, and your code paints the picture.',
    speedTitle: 'How fast is this?',
    speedText:
      'Measure it in your own browser: what runs, how near it comes to the limit of the machine, and from which length on linear attention is faster.',
    authors: 'Made by the Attention Labs contributors.',
    licence: 'Licence: MIT',
    source: 'Source',
    instructors: 'For instructors',
  },
  de: {
    heading: 'Doppelt so viel Text, viermal so viel Arbeit.',
    lead: 'Ein freier Kurs darüber, wie Sprachmodelle lesen, in Labs, die in deinem Browser laufen.',
    start: 'Anfangen',
    noscript:
      'Die Abbildung, die hier steht, wird in deinem Browser berechnet; dazu braucht es JavaScript.',
    sentence: 'die Katze saß auf der Matte und der Hund saß auch da',
    why: 'Warum das zählt: Ein Modell, das ein ganzes Buch lesen soll, begegnet jedem Paar seiner Wörter, oder es behält eine Tabelle, die auf eine Briefmarke passt. Dieser Kurs zeigt, was beides kostet und was die kleine Tabelle vergisst.',
    course: 'Der Kurs',
    how: 'Jedes Lab stellt eine Frage und beantwortet sie mit Abbildungen zum Anfassen. Du drehst an den Reglern; ein Rechenkern in C++, übersetzt nach WebAssembly, berechnet jede Zahl in deinem Browser. Nichts wird irgendwohin geschickt.',
    unwritten: 'Die Labs dieses Teils werden noch geschrieben.',
    groupExercises: (exercises) => `${plural(exercises, 'Übung gibt', 'Übungen gibt')} es schon.`,
    afterwards: 'Danach kannst du',
    minutes: (minutes) => `etwa ${plural(minutes, 'Minute', 'Minuten')} zum Lesen und Ausprobieren`,
    buildsOn: (labs) => `baut auf ${labs} auf`,
    steps: (steps) => plural(steps, 'Schritt', 'Schritte'),
    exercises: (exercises, minutes) =>
      `${plural(exercises, 'Übung', 'Übungen')}, ${plural(minutes, 'Minute', 'Minuten')}`,
    stepsDone: (done, of) => `${done} von ${plural(of, 'Schritt', 'Schritten')} erledigt`,
    passed: (passed, of) => `${passed} von ${plural(of, 'Übung', 'Übungen')} bestanden`,
    begin: 'Fang hier an',
    goOn: (step) => `Weiter mit „${step}“`,
    allDone: 'Du hast jeden Schritt jedes Labs erledigt.',
    kept: 'Was du geschafft hast, bleibt in diesem Browser und wird nirgendwohin geschickt.',
    beside: 'Neben den Labs',
    exercisesTitle: 'Übungen',
    exercisesText:
      'Schreib die Funktionen der Attention selbst, in Python, JavaScript oder C++. Sie werden sofort getestet, und dein Code malt das Bild.',
    speedTitle: 'Wie schnell ist das?',
    speedText:
      'Miss es in deinem eigenen Browser: was läuft, wie nah es an die Grenze des Rechners kommt und ab welcher Länge lineare Attention schneller ist.',
    authors: 'Gemacht von den Attention Labs contributors.',
    licence: 'Lizenz: MIT',
    source: 'Quelltext',
    instructors: 'Für Lehrende',
  },
};
