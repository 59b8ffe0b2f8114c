/** What the figures of the Feature Maps lab say. Numbers come in as arguments. */
const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const words = {
  source: {
    label: 'Q, K and V',
    options: { gaussian: 'Gaussian', lab: 'First figure' },
    missing:
      'The first figure waits for your matrices. Give all three there, or take Gaussian ones.',
    n: 'tokens',
    dK: 'width of q and k',
    dV: 'width of v',
    draws: 'draws',
    gaussian: (n: number, dK: number, dV: number) =>
      `Gaussian Q, K, V with n = ${n}, d_k = ${dK}, d_v = ${dV}`,
    seeds: (first: number, count: number) =>
      count === 1 ? `seed ${first}` : `seeds ${first} to ${first + count - 1}`,
    causal: 'causal mask',
    scale: (factor: string) => `scale ${factor}`,
    usual: 'scale 1/√d_k',
  },
  map: 'Feature map φ',
  features: 'random features',

  maps: {
    heading: 'Two maps beside softmax',
    left: 'Left map',
    right: 'Right map',
    sqrt: 'Brighten small weights',
    sqrtNote: 'Colour follows the square root.',
    sub: (dimension: number) => `φ(q)·φ(k) / Σ, D = ${dimension}`,
    table: 'How far from softmax',
    measure: 'Measure',
    rows: {
      correlation: 'Correlation',
      mse: 'Mean squared error',
      outputError: 'Output error',
      negative: 'Negative weights',
      denominators: 'Denominators ≤ 0',
    },
    uniform: (mse: string) => `Equal weights everywhere have a mean squared error of ${mse}.`,
    line: (map: string, correlation: string, error: string) =>
      `${map}: correlation ${correlation}, output error ${error}.`,
    caption: (data: string, left: string, right: string) =>
      `${data}. Left ${left}, right ${right}.`,
    spoken: (left: string, a: string, right: string, b: string) =>
      `Correlation with softmax: ${left} ${a}, ${right} ${b}.`,
  },

  registry: {
    heading: 'The registry, measured',
    gradedHeading: 'Four graded maps, measured',
    showAll: (count: number) => `Show all ${count} maps`,
    showFour: 'Show four maps',
    scaled: 'Scale by 1/√d_k',
    scaledNote: 'Off: the softmax sees q·k as it is.',
    timedN: 'tokens for the time',
    columns: {
      map: 'Map',
      dimension: 'D',
      minWeight: 'Smallest weight',
      correlation: 'Correlation',
      mse: 'Mean squared error',
      outputError: 'Output error',
      milliseconds: 'Time, ms',
      trouble: 'Trouble',
    },
    sortBy: (column: string) => `Sort by: ${column}`,
    undefined: 'none',
    ofUniform: (ratio: string) => `${ratio} × equal weights`,
    ofSoftmax: (ratio: string) => `${ratio} × softmax`,
    share: (share: string) => `${share} % negative`,
    trouble: {
      nonFinite: 'not finite',
      underflow: 'underflow',
      deadQueries: 'dead queries',
      deadKeys: 'dead keys',
      negativeDenominators: 'denominators < 0',
      smallDenominators: 'denominators near 0',
    },
    noTrouble: 'none seen',
    untimed: 'not timed',
    before: 'the other run',
    stars: (count: number) => `${count} of 5 stars`,
    quote: 'course text',
    quotation: (text: string) => `“${text}”`,
    lines: {
      uniform: (mse: string) => `Equal weights everywhere: mean squared error ${mse}.`,
      bound: (n: number, bound: string) => `Largest possible with ${n} keys, 2/n: ${bound}.`,
      softmax: (ms: string) => `Softmax attention at the same length: ${ms} ms.`,
    },
    impossible: (label: string, printed: string, ratio: string) =>
      `${label}: the course text prints “${printed}”, ${ratio} times what is possible.`,
    quoted:
      'In quotation marks and stars: what the course text (Lab 03) says. Nobody can check a star; the numbers beside it can be run again.',
    sameAs: (maps: string) => `the same to the digit: ${maps}`,
    about: 'About this map',
    scroll: 'The table, scrolls sideways',
    caption: (data: string, scaled: string, features: number, draws: number, time: string) =>
      `${data}, ${scaled}, ${features} random features. Medians over ${plural(draws, 'draw')}; trouble and smallest weight: the worst of them. ${time}`,
    time: (n: number, dK: number, dV: number) =>
      `Times: linear attention with the normaliser at n = ${n}, d_k = ${dK}, d_v = ${dV}, median of 5 rounds in turn with softmax attention.`,
    spoken: (count: number, best: string, correlation: string) =>
      `${plural(count, 'different map')} measured. Best correlation: ${best}, ${correlation}.`,
  },

  rows: {
    heading: 'How much a map turns to 0',
    n: 'queries in a draw',
    draws: 'draws',
    show: 'Counted',
    options: { queries: 'Dead queries', pairs: 'Weights of 0' },
    x: 'width d',
    y: { queries: 'share of queries', pairs: 'share of all pairs' },
    counted: 'counted',
    zeroAt: (of: string, shares: string) => `Turned to 0, ${of}: ${shares}.`,
    model: { queries: '2⁻ᵈ', pairs: '(3/4)ᵈ' },
    point: (d: number, share: string, count: number, of: number) =>
      `d = ${d}: ${share}, ${count} of ${of}`,
    modelPoint: (d: number, share: string) => `d = ${d}: ${share} expected`,
    columns: { d: 'd', share: 'share', count: 'counted', of: 'of', model: 'expected for ReLU' },
    caption: (map: string, n: number, draws: number, seeds: string) =>
      `φ = ${map}, N(0, 1) entries, ${n} queries and keys, ${plural(draws, 'draw')}, ${seeds}.`,
    spoken: (first: string, last: string) => `From ${first} to ${last}.`,
  },

  gradients: {
    heading: 'What arrives of the gradient',
    of: 'Gradient of',
    options: { q: 'queries', k: 'keys' },
    y: 'length of a row of the gradient',
    quantiles:
      'Bar: all rows but the smallest and the largest tenth. Thick: the middle half. Mark: the median.',
    zero: '0',
    medians: (maps: string) => `Median length of a row: ${maps}.`,
    softmax: 'Softmax',
    share: (share: string) => `${share} %`,
    columns: {
      map: 'Map',
      p10: '10 %',
      p25: '25 %',
      median: 'Median',
      p75: '75 %',
      p90: '90 %',
      mean: 'Mean',
      small: 'Entries below 10⁻⁶',
      flat: 'Slopes of φ that are 0',
      bad: 'Not finite',
    },
    table: 'The quantiles as a table',
    caption: (data: string, scaled: string) =>
      `${data}, ${scaled}. The gradient at the output has N(0, 1) entries, the same for every map.`,
    spoken: (map: string, median: string, softmax: string) =>
      `Smallest median: ${map}, ${median}. Softmax: ${softmax}.`,
  },

  pareto: {
    heading: 'Features, time and error',
    x: 'Across',
    xOptions: { time: 'Time', dimension: 'Features D' },
    y: 'Up',
    yOptions: { outputError: 'Output error', correlation: '1 − correlation', mse: 'MSE' },
    most: 'most random features',
    timedN: 'tokens for the time',
    xLabel: { time: 'milliseconds', dimension: 'features D' },
    yLabel: {
      outputError: 'output error',
      correlation: '1 − correlation',
      mse: 'mean squared error',
    },
    front: 'the front',
    softmax: 'softmax',
    fixed: 'width fixed by d',
    random: 'random features',
    uniform: 'equal weights',
    point: (label: string, x: string, y: string) => `${label}: ${x}, ${y}`,
    onFront: 'on the front',
    ms: (value: string) => `${value} ms`,
    caption: (data: string, draws: number, time: string) =>
      `${data}. Medians over ${plural(draws, 'draw')}. ${time}`,
    frontIs: (labels: string) => `On the front: ${labels}.`,
    left: (count: number) =>
      `${plural(count, 'map')} without a finite value ${count === 1 ? 'is' : 'are'} left out.`,
    columns: {
      map: 'Map',
      dimension: 'D',
      correlation: 'Correlation',
      mse: 'MSE',
      outputError: 'Output error',
      milliseconds: 'Time, ms',
      front: 'On the front',
    },
  },
};
