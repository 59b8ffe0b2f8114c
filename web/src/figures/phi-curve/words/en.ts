export const words = {
  heading: 'φ along a line',
  map: 'Feature map',
  d: 'width of the row',
  along: 'Direction',
  alongs: { first: 'first entry', all: 'all entries', random: 'Gaussian row' },
  alongNote: 'The row is x = t·u. *first entry*: only x₁ moves, the others stay 0.',
  reach: 'how far t goes',
  slope: 'Derivative dφ/dt, dashed',
  scale: 'Axis of the values',
  scales: { linear: 'linear', log: 'logarithmic', symlog: 'both signs' },
  first: 'first curve shown',
  position: 'position of the token, of 16',
  feature: (index: string) => `φ${index}`,
  derivative: (index: string) => `φ${index}′`,
  t: 't',
  value: 'φ(t·u)',
  point: (curve: string, t: string, value: string) => `${curve} at t = ${t}: ${value}`,
  shown: (shown: number, different: number, dimension: number) =>
    different === dimension
      ? `${shown} of ${dimension} features.`
      : `${shown} of ${different} different curves; D = ${dimension} features, the others repeat them.`,
  dead: 'all features 0',
  zones: 'What each curve does',
  columns: {
    feature: 'Feature',
    range: 'From … to',
    zero: 'exactly 0',
    flat: 'flat: derivative 0',
    tiny: 'too small for float32',
    notFinite: 'no finite number',
  },
  zone: (from: string, to: string) => (from === to ? `t = ${from}` : `${from} … ${to}`),
  nowhere: 'nowhere',
  zonesNote:
    '“Too small”: below 2^{−126} ≈ 1.2·10^{−38} float32 keeps fewer digits, and further down it has 0, even where the formula never is 0. Ranges are as fine as the points drawn.',
  summary: (map: string, curves: number, dead: string) =>
    `${map}: ${curves === 1 ? 'one curve' : `${curves} curves`}. ${dead}`,
  deadAt: (where: string) => `All features are 0 for t in ${where}.`,
  deadNowhere: 'Nowhere are all features 0.',
  caption: (
    map: string,
    parameters: string,
    d: number,
    dimension: number,
    direction: string,
    points: number,
    from: string,
    to: string,
  ) =>
    `${map}${parameters && ` (${parameters})`}, d = ${d}, D = ${dimension}, x = t·u, u: ${direction}; ${points} points from t = ${from} to ${to}, float32.`,
  direction: {
    first: () => 'the first axis',
    all: () => '(1, …, 1)',
    random: (seed: number) => `N(0, 1) entries, seed ${seed}`,
  },
  drawn: (seed: number) => `Projection drawn with seed ${seed}.`,
  at: (position: number, length: number) => `Position ${position} of ${length}.`,
};
