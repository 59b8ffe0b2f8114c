/** The words of exercises: the page, the editor, the report, the picture, and what is kept. */
import type { HeatmapWords } from '../components/heatmap/heatmap.ts';
import { en } from './en.ts';

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
const quoted = (label: string | undefined): string => (label === undefined ? '' : ` “${label}”`);

const languages = { python: 'Python', javascript: 'JavaScript', cpp: 'C++' } as const;

export const exercises = {
  languages,
  labs: {
    complexity: 'Complexity',
    'kernel-trick': 'The kernel trick',
    'feature-maps': 'Feature maps',
    attention: 'Attention',
    'linear-attention': 'Linear attention',
  },

  page: {
    title: 'Exercises',
    lead: 'Each is one function. Write it in Python or JavaScript here, or in C++ on your own machine; it is tested at once, and what you wrote paints the picture.',
    documentTitle: (title: string) => `${title} · Attention Labs`,
    all: 'All exercises',
    states: { none: 'Not begun', begun: 'Begun', passed: 'Passed' },
    passedIn: (names: readonly string[]) => `Passed in ${names.join(' and ')}`,
    summary: (passed: number, of: number) => `${passed} of ${plural(of, 'exercise')} passed.`,
    labSummary: (passed: number, of: number) => `${passed} of ${of} passed`,
    unknown: (id: string) => `The link names an exercise ‘${id}’ that is not here. These are.`,
    previous: 'Previous',
    next: 'Next',
    nav: 'Exercises before and after',
    list: 'List of exercises',
    loading: 'Loading the exercise …',
    failed: (why: string) => `This exercise could not be loaded: ${why}`,
    retry: 'Try again',
  },

  editor: {
    label: (title: string, language: string) => `Your code in ${language}: ${title}`,
    keys: (rich: boolean) =>
      rich
        ? 'Ctrl or ⌘ + Enter runs, Esc stops. Tab indents; press Esc, then Tab, to leave the editor.'
        : 'Ctrl or ⌘ + Enter runs, Esc stops.',
  },

  task: {
    title: 'What to write',
    takes: 'Takes',
    returns: 'Returns',
    inOrder: 'Returns, in this order',
    optional: 'may be left out',
    types: {
      matrix: 'matrix',
      vector: 'vector',
      stack: 'stack of matrices',
      number: 'number',
      integer: 'whole number',
      boolean: 'yes or no',
      text: 'text',
      numbers: 'list of numbers',
      feature_map: 'function, rows to rows',
      dict: 'named numbers',
    },
    costTitle: 'Cost',
    cost: (wanted: string, slope: string, of: 'work' | 'largest') =>
      of === 'work'
        ? `The work is counted while your function runs on longer and longer inputs, and may grow no faster than n to the power of ${slope}. ${wanted}.`
        : `The entries of your largest array are counted while your function runs on longer and longer inputs, and may grow no faster than n to the power of ${slope}. ${wanted}.`,
    toleranceTitle: 'How exact',
    tolerance: (rtol: string, atol: string, reason: string) =>
      `Relative error up to ${rtol}, absolute up to ${atol}. ${reason}`,
    source: 'From',
    javascript:
      'Matrices are objects of class Matrix: m.rows, m.cols, m.data (row after row), m.get(i, j), m.set(i, j, x), m.times(b), m.transpose(), m.map(f), m.sumRows(), m.maxRows(), Matrix.zeros(r, c), … plus, minus, mul and div take a matrix or a number.',
    javascriptTitle: 'Matrices in JavaScript',
  },

  hints: {
    title: 'Hints',
    next: (n: number) => `Hint ${n} of 3`,
    none: 'Three hints, one at a time. How many you took is written into your submission.',
    solution: 'Show the solution',
    after: 'See a solution',
    confirm: 'Your submission will say that you have seen the solution. Show it?',
    yes: 'Show it',
    no: 'Not yet',
    solutionTitle: (language: string) => `A solution in ${language}`,
    hide: 'Hide the solution',
    failed: 'The solution could not be loaded. Is the network there?',
  },

  run: {
    language: 'Language',
    run: 'Run',
    stop: 'Stop',
    reset: 'Start over',
    undo: 'Undo',
    undone: 'Your code is back.',
    resetDone: 'This is the empty function again.',
    tools: 'Your code',
    ready: 'Ready.',
    fetching: (language: string) => `Fetching ${language} …`,
    starting: (language: string) => `Starting ${language} …`,
    running: 'Running …',
    step: (done: number, of: number) => `Running: ${done} of ${plural(of, 'case')} done.`,
    progress: 'Cases done',
    measuring: 'Counting the work …',
    recognising: 'Looking for a mistake that we know …',
    keptPassed: 'This is your code as you left it. It passed.',
    kept: (passed: number, of: number) =>
      `This is your code as you left it: ${passed} of ${plural(of, 'test')} passed. Run shows which.`,
    passed: (of: number) => `Passed: all ${plural(of, 'test')}.`,
    failed: (passed: number, of: number) => `Not yet: ${passed} of ${plural(of, 'test')} passed.`,
    failedCost: 'Not yet: the numbers are right, the cost is too high.',
    notLoaded: 'Not yet: your code did not load.',
    stopped: {
      user: 'Stopped. Your code is as you left it.',
      time: 'Stopped: it took too long. Is there a loop that never ends?',
      memory: 'Stopped: it wanted too much memory.',
      output: 'Stopped: it printed without end.',
      crash: 'Stopped: the interpreter broke down. Your code is as you left it.',
    },
    broken: (why: string) => `Code cannot be run here: ${why}`,
    stale: 'You have changed your code since. Run it again to see what that does.',
    cpp: {
      text: 'C++ is written and tested on your own machine, from the same tests. In the folder of Attention Labs:',
      copy: 'Copy the command',
      copied: 'Copied.',
      notCopied: 'The browser does not let this page copy; select the line instead.',
      more: 'It makes a stub on the first call, then compiles it, runs the tests and watches the file.',
    },
    file: 'Open a file',
    saveCode: 'Save the code',
    link: 'Copy a link to this code',
    linkCopied: 'The link is copied. Who opens it sees your code and decides whether to run it.',
    linkShow: 'Copy this link:',
    linkLong: 'This code is too long for a link; save it as a file instead.',
    submission: 'Save the submission',
    saved: (name: string) => `Saved ${name}.`,
    more: 'Files and links',
  },

  foreign: {
    link: 'This code came with the link. Nothing of it has been run.',
    file: (name: string) => `This is ${name}. Nothing of it has been run.`,
    show: 'The code that came',
    use: 'Put it into the editor',
    leave: 'Leave it',
    used: 'It is in the editor, and not yet run. Undo brings your own code back.',
    damaged: 'The link’s code is damaged; ask for the link once more.',
    tooLong: (name: string) => `${name} is too long to be code for this exercise.`,
    none: (name: string) => `${name} holds no code for this exercise in this language.`,
    unreadable: (name: string) => `${name} cannot be read as text.`,
  },

  other: {
    text: (when: string) => `Another tab has a version of this code, saved ${when}.`,
    show: 'The other version',
    take: 'Take that version',
    keep: 'Keep this one',
    taken: 'The other version is in the editor. Undo brings this tab’s back.',
    kept: 'This tab’s version is kept.',
  },

  kept: {
    title: 'Your work',
    intro:
      'It is kept in this browser, as you type, and sent nowhere. A file carries it to another one.',
    problem: (reason: string) => `${reason} Save a file to be sure.`,
    export: 'Save everything as a file',
    import: 'Open such a file',
    submission: 'Save a submission of all',
    student: 'Your name in submissions',
    studentNote: 'As your instructor knows you. May be empty.',
    exported: (name: string) => `Saved ${name}.`,
    reset: 'Reset a lab',
    resetButton: 'Forget the work of this lab',
    resetDone: (lab: string, count: number) => `${plural(count, 'record')} of “${lab}” forgotten.`,
    resetNothing: (lab: string) => `There is no work of “${lab}” to forget.`,
    imported: (count: number) => `${plural(count, 'record')} taken from the file.`,
    undo: 'Undo',
    undone: 'Everything is as it was before.',
    plan: {
      title: 'What the file would do',
      table: 'Its records',
      new: 'adds',
      same: 'same code as yours',
      replaces: 'replaces yours',
      apply: (count: number) => `Take ${plural(count, 'record')}`,
      cancel: 'Leave it',
      nothing: 'The file holds no records.',
      step: (title: string, language: string) => `${title} (${language})`,
      columns: {
        exercise: 'Exercise',
        does: 'It',
        yours: 'Yours, saved',
        file: 'The file’s, saved',
      },
    },
  },

  report: {
    title: 'Tests',
    hiddenName: 'hidden',
    passed: 'Passed',
    failed: 'Failed',
    notRun: 'Not run',
    recognised: 'A mistake we know',
    loadError: 'Your code did not load',
    line: (line: number) => `line ${line}`,
    goTo: (line: number) => `Go to line ${line}`,
    printed: 'Printed',
    printedTop: 'Printed while loading',
    arguments: 'Called with',
    expected: 'Expected',
    actual: 'Yours',
    difference: '|Δ|',
    differenceHeading: 'Distance from the expected value',
    differenceUnit: (power: string) => `|Δ| in units of 10${power}`,
    firstDifference: 'First difference at',
    differ: 'Entries that differ',
    of: (wrong: number, of: number) => `${wrong} of ${of}`,
    maxAbsolute: 'Largest absolute error',
    maxRelative: 'Largest relative error',
    shapeSeen: 'Shape',
    notFinite: 'not finite',
    scalar: 'one number',
    hidden: 'The hidden tests show their numbers as soon as the visible ones pass.',
    window: (r0: number, r1: number, rows: number, c0: number, c1: number, cols: number) =>
      `rows ${r0}–${r1} of ${rows}, columns ${c0}–${c1} of ${cols}`,
    slice: (index: string) => `matrix ${index}`,
    given: (name: string) => `the given function ${name}`,
    empty: 'empty',
    milliseconds: (ms: string) => `${ms} ms`,
    table: (what: string) => `${what}, as numbers`,
    cost: {
      title: 'Cost',
      passed: 'Low enough',
      failed: 'Too high',
      chart: 'Work over length',
      work: 'yours, counted',
      allowed: (slope: string) => `allowed: slope ${slope}`,
      slope: (slope: string, most: string) => `Fitted slope ${slope}; at most ${most} is allowed.`,
      noSlope: 'No slope could be fitted.',
      xLabel: 'n',
      yLabels: {
        work: 'multiply-adds + entries touched',
        largest: 'entries of the largest array',
      },
      columns: {
        n: 'n',
        work: 'Work',
        multiplyAdds: 'Multiply-adds',
        touched: 'Entries touched',
        bytes: 'Bytes',
      },
      table: 'What was counted',
      point: (series: string, n: number, work: string) => `${series}: n = ${n}, work ${work}`,
    },
    chart: {
      role: 'chart',
      keys: 'Left and right arrow keys move along a line, up and down from line to line, Home and End to its ends, Escape lets go.',
      legend: 'Lines',
      hint: 'Hover or use the arrow keys to read a point.',
      hintTouch: 'Tap a point to read it.',
      empty: 'There is nothing to draw yet.',
    },
  },

  picture: {
    title: 'The picture',
    yours: 'Yours',
    reference: 'Reference',
    difference: 'Difference',
    differenceSubtitle: (largest: string) => `yours − reference, at most ${largest}`,
    same: 'yours − reference: nothing beyond rounding',
    wait: 'Run your function to see it here.',
    waitReference: 'Asking the core …',
    waitDifference: 'Yours and the reference, once both are there.',
    size: (rows: number, cols: number, down: string, along: string) =>
      `${rows}×${cols}, ${down} ↓ ${along} →`,
    notSaved: 'The picture could not be saved.',
    files: 'The picture as a file',
    save: { svg: 'Save the picture as SVG', csv: 'Save the numbers as CSV' },
    knobs: 'Knobs of the picture',
    failed: (error: string) =>
      `Your function failed on these numbers: ${error}${/[.!?]$/.test(error) ? '' : '.'}`,
    slow: (shown: boolean) =>
      `Your function is too slow for these numbers.${shown ? ' The last good picture stays.' : ''}`,
    last: 'The last good picture stays.',
    shape: (actual: string, wanted: string) =>
      `Your function returned ${actual}; the reference has ${wanted}.`,
    parts: (wanted: number) =>
      `Your function returned one value; ${wanted} are wanted, in their order.`,
    noArray: 'nothing that can be drawn',
    referenceFailed: (why: string) => `The reference could not be computed: ${why}`,
    old: 'This is the code of an earlier run.',
    value: 'value',
    point: (series: string, x: string, y: string) => `${series}: ${x}, ${y}`,
    over: (y: string, x: string) => `${y} over ${x}`,
    matched: 'Your picture and the reference agree.',
    differs: (largest: string) => `Your picture differs from the reference by at most ${largest}.`,
  },

  scratch: {
    title: 'A scratch sheet',
    intro:
      'Run any Python in the same runtime: NumPy’s names, arrays in the C++ core. Nothing here is graded.',
    label: 'Scratch sheet in Python',
    preset: 'Start from',
    presets: {
      blank: 'A few lines of NumPy',
      kernelTrick: 'Lab 02: expected behaviour',
      featureMaps: 'Lab 03: expected behaviour',
      stability: 'Numerical stability of softmax',
      masking: 'Masks, and rows that see nothing',
    },
    output: 'Output',
    nothing: 'It printed nothing.',
    added: 'Your code takes for granted, and so it was put before it:',
    open: 'Open the scratch sheet',
    done: (ms: string) => `Done in ${ms} ms.`,
    replaced: 'The sheet holds the snippet now.',
    error: (type: string, message: string) => `${type}: ${message}`,
  },

  embedded: {
    title: 'Write it yourself',
    intro:
      'Write a feature map and see it beside the reference. Your code runs in this page and nowhere else.',
    choose: 'Exercise',
    open: 'Begin',
    all: 'All exercises',
  },
} as const;

/** The heatmap's words for matrices whose rows are no queries. */
export const matrixWords = (rows: string, cols: string): HeatmapWords => ({
  ...en.heatmap,
  // Words are too long for that corner; the subtitle says it.
  corner: '',
  waiting: exercises.picture.waitReference,
  masked: '−∞, blocked',
  cell: (i, row, j, col) => `${rows} ${i}${quoted(row)}, ${cols} ${j}${quoted(col)}`,
  summary: (heading, height, width, subtitle) =>
    `${heading}: ${height} by ${width}, ${rows} by ${cols}. ${subtitle}`,
});
