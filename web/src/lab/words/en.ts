import type { Words } from '../../strings/words-type.ts';

export const en = {
  notKept: {
    outline: 'Your answers are not kept.',
    lab: (problem: string) =>
      `${problem} The lab works all the same; its summary, at the end, can be printed.`,
  },
  newer: {
    text: 'A newer version of this page has kept your answers in this lab. This version cannot read them and leaves them as they are; what you answer now is kept beside them.',
    save: 'Save those answers as a file',
    saved: (name: string) => `Saved ${name}.`,
  },
  outline: {
    open: 'Steps',
    here: (number: number, of: number) => `Step ${number} of ${of}`,
    state: { new: '', seen: 'read', done: 'done' },
    progress: (done: number, of: number) => `${done} of ${of} steps done`,
  },
  load: {
    waiting: 'Loading …',
    failed: 'This part did not load.',
    retry: 'Try again',
    missing:
      'A figure belongs here. It was not loaded yet when this was printed; “Print the whole lab” at the end of the page loads everything first.',
  },
  away: {
    line: 'This figure is with the text below, which speaks of it.',
    link: 'Go to the figure',
    coming: 'The figure comes here as you read on.',
  },
  prediction: {
    title: 'Predict',
    intro: 'Commit first; then the page computes it.',
    commit: 'Commit',
    missing: { choice: 'Choose one first.', number: 'Drag the bar first.' },
    bar: 'Your prediction',
    busy: 'Computing what happens …',
    failed: (why: string) => `It could not be computed: ${why}`,
    retry: 'Compute again',
    yours: 'Your answer',
    first: 'Your first answer',
    truth: 'Computed',
    right: 'You saw it coming.',
    wrong: 'It came out otherwise.',
    close: 'Close.',
    factor: (factor: string) => `Off by a factor of ${factor}.`,
    difference: (difference: string) => `Off by ${difference}.`,
    why: 'Why',
    again: 'Answer again',
    kept: 'Your first answer is kept.',
    forgotten: 'Not kept: the browser’s storage refuses.',
  },
  check: {
    title: 'Check',
    one: 'Choose one.',
    several: 'Choose all that are right.',
    answer: 'Check my answer',
    missing: 'Choose an answer first.',
    right: 'Right.',
    wrong: 'Not yet.',
    partly: 'Some of it is right, but not all.',
    again: 'Change the answer and check again.',
    correct: 'right',
    incorrect: 'wrong',
  },
  tries: {
    title: 'Try this',
    done: (title: string) => `The knobs are set: ${title}.`,
    left: 'Your own knobs are back.',
  },
  place: {
    were: (step: number) => `You were at step ${step}:`,
    goOn: 'Go on there',
    leave: 'Stay here',
  },
  /** The handle between the picture and the text of a small screen. */
  split: 'Height of the picture',
  /** In place of the figure of a prediction. */
  awaits: 'What happens is shown here once you have committed to a prediction.',
  exercises: {
    title: 'Write it yourself',
    intro: 'Your function is tested at once and paints the picture beside the reference.',
  },
  sources: {
    papers: 'References',
    next: 'Next lab',
    nextGo: (title: string) => `Go on with “${title}”`,
    home: 'All labs',
  },
  summary: {
    name: 'Your name (for the printed page)',
    print: 'Print this summary',
    printAll: 'Print the whole lab',
    loading: (done: number, of: number) => `Loading figures: ${done} of ${of}`,
    drawing: 'Waiting until everything is drawn …',
    stop: 'Stop',
    stopped: 'Nothing was printed.',
    takeAlong: 'To take along',
    predictions: 'Your predictions',
    checks: 'Your checks',
    exercises: 'Your exercises',
    exerciseColumn: 'Exercise',
    question: 'Question',
    first: 'First answer',
    truth: 'Computed',
    result: 'Result',
    notYet: 'not answered yet',
    checkResults: {
      first: 'right at the first try',
      later: (tries: number) => `right at try ${tries}`,
      wrong: 'not right yet',
    },
    exercise: { passed: 'passed', open: 'not passed yet' },
    of: (lab: string) => `Attention Labs: ${lab}`,
    date: (date: string) => `Printed on ${date}`,
  },
  reset: {
    button: 'Forget my answers in this lab',
    done: 'Your answers in this lab are forgotten.',
    undo: 'Undo',
    undone: 'Your answers are back.',
  },
} as const;

export type ShellWords = Words<typeof en>;

export const words: ShellWords = en;
