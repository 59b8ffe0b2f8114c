/**
 * The words of the opening figure. They belong to the first load; what the first picture says has no character that
 * would fetch a second file of the sans-serif font (`INTERFACE` in web/plugins/fonts.ts), such as ±, | or <.
 */
const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const words = {
  heading: 'A kernel machine on your points',
  machine: 'Who decides',
  machines: { vectors: 'support vectors', votes: 'all points vote' },
  kernel: 'Kernel',
  kernels: { linear: 'linear', polynomial: 'polynomial', rbf: 'RBF', laplacian: 'Laplacian' },
  c: 'price of a point on the wrong side',
  gamma: 'how narrow a bump is',
  pattern: 'Begin with',
  patterns: { moons: 'moons', xor: 'XOR', rings: 'rings', blobs: 'blobs', none: 'nothing' },
  points: 'points',
  next: 'A new point is',
  nexts: { up: 'orange', down: 'blue' },
  clear: 'Remove all points',
  help: 'Click into the plane to put a point there, drag a point to move it, double-click to remove it. With the keyboard: Tab to the points, arrow keys move one (with Shift in small steps), Page Up and Page Down go to another, C changes its colour, Enter adds one, Delete removes it.',
  plane: 'The plane with its points',
  point: (i: number, n: number, color: 'up' | 'down', x: string, y: string, state: string) =>
    `Point ${i} of ${n}, ${color === 'up' ? 'orange' : 'blue'}, at ${x}, ${y}; ${state}`,
  states: {
    free: 'on the margin, kept',
    bounded: 'inside the margin or on the wrong side, kept at the bound C',
    not: 'not kept',
  },
  empty: 'The plane is empty. Click into it to put a point there, or press Enter.',
  needBoth:
    'A margin needs points of both colours on its sides. Put one of the other colour into the plane.',
  of: (count: number, n: number) => `${count} of ${n}`,
  numbers: {
    kept: 'support vectors',
    bounded: 'at the bound C',
    right: 'on their side',
    scale: 'γ of scikit-learn’s SVC for these points, “scale”: 1/(d·variance)',
    width: 'γ = 1/d',
    steps: 'steps that SMO took',
    gap: 'gap that is left',
  },
  kept: (kept: number, n: number, bounded: number, right: number) =>
    `The machine keeps *${kept} of ${plural(n, 'point')}*, ${bounded} of them at the bound, and ${right === n ? 'all points are on their side.' : `${right} of ${n} are on their side.`}`,
  voted: (n: number, right: number) =>
    `*All ${plural(n, 'point')} vote* on every place, nearer ones with more weight, and ${right === n ? 'all are on their side.' : `${right} of ${n} are on their side.`}`,
  coming: 'The support vector machine is on its way; the points can be moved meanwhile.',
  votes: 'it votes',
  voteCaption: (points: number, gamma: string) =>
    `${plural(points, 'point')}; f is the mean of their labels, 1 and −1, weighted by the kernel RBF, γ = ${gamma}. Thick line: f = 0; the colours are full at 2 and −2. Computed by the core with every move.`,
  notConverged: 'SMO stopped before its tolerance was reached.',
  key: {
    up: 'point, label 1',
    down: 'point, label −1',
    above: 'f above 0',
    below: 'f below 0',
    line: 'f = 0',
    margin: 'f = ±1',
    kept: 'kept',
    bounded: 'kept, at C',
  },
  caption: (kernel: string, c: string, points: number, tolerance: string) =>
    `${plural(points, 'point')}; support vector machine with the kernel ${kernel}, C = ${c}, tolerance ${tolerance}. Thick line: f = 0, thin lines: f = ±1; the colours are full at |f| = 2. Computed by the core with every move.`,
  tooMany: (most: number) => `The plane holds at most ${most} points.`,
  columns: ['x', 'y', 'label', 'alpha', 'f'],
};
