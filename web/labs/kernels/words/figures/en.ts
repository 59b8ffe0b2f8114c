/** English words of the figures below the opening. */
export const words = {
  definiteness: {
    heading: 'Is it a kernel? The Gram matrix answers',
    kernel: 'k(x, y)',
    kernels: {
      rbf: 'Gaussian: exp(−‖x − y‖²)',
      linear: 'linear: x·y',
      polynomial: 'polynomial: (x·y + 1)²',
      laplacian: 'Laplacian: exp(−‖x − y‖₁)',
      exponential: 'exponential: exp(x·y)',
      ntk: 'neural tangent kernel, two hidden layers',
      sigmoid: 'sigmoid: tanh(x·y)',
      elu: 'ELU(x·y) + 1',
      sum: 'sum: Gaussian + linear',
      product: 'product: Gaussian · linear',
      difference: 'difference: exp(−2‖x − y‖²) − exp(−‖x − y‖²)',
    },
    points: 'The points',
    gram: 'Gram matrix',
    eigen: 'Eigenvalues, smallest first',
    eigenvalue: (i: number) => `eigenvalue ${i}`,
    smallest: 'smallest eigenvalue',
    largest: 'largest',
    add: 'Add a point',
    remove: 'Take the last away',
    search: 'Search for a witness',
    searched: (tried: number, found: boolean) =>
      found
        ? `The search tried ${tried} sets of points and shows the most negative one.`
        : `The search tried ${tried} sets of points and found no witness. That proves nothing, but for a kernel there is none to be found. Of all these sets it shows the one with the smallest eigenvalue over the largest; a kernel has 0 at the least, for example where points are equal.`,
    point: (i: number, x: number, y: number, weight: string) =>
      `Point ${i} at ${x}, ${y}${weight ? `, weight ${weight}` : ''}. Arrow keys move it, Delete takes it away.`,
    none: (smallest: string) =>
      `No eigenvalue is negative at these points: the smallest is *${smallest}*, so every choice of weights α has αᵀKα ≥ 0.`,
    rounding: (smallest: string, bound: string, tolerance: string) =>
      `The smallest eigenvalue is 0 up to rounding: ${smallest} is nearer to 0 than ${bound}, which is ${tolerance} of the largest.`,
    heaped: (heaps: readonly (readonly number[])[]) =>
      `${heaps.map((points) => `Points ${points.slice(0, -1).join(', ')} and ${points.at(-1)} lie on top of each other in the picture.`).join(' ')} The nearer points are, the more alike are their rows of the Gram matrix, and with equal rows an eigenvalue is 0.`,
    witness: (form: string, smallest: string) =>
      `Not a kernel: the smallest eigenvalue is *${smallest}*, and the weights on the points have αᵀKα = ${form}, which no ‖Σαᵢφ(xᵢ)‖² can be.`,
    known: {
      positiveSemidefinite: 'Known: a kernel, at all points.',
      indefinite: 'Known: not a kernel; some points show it.',
      unknown:
        'A combination about which nothing is known beforehand: a difference of kernels may be one or not.',
    },
    weights: 'Filled: positive weight. Hollow: negative. A larger dot has more weight.',
    caption: (kernel: string, n: number) =>
      `Gram matrix and eigenvalues of ${kernel} at ${n} points of the plane, in float64.`,
    columns: ['x', 'y', 'weight of the witness', 'eigenvalue'],
  },
  bumps: {
    heading: 'A function made of bumps',
    kernel: 'k',
    kernels: {
      rbf: 'Gaussian',
      laplacian: 'Laplacian',
      matern_32: 'Matérn 3/2',
      matern_52: 'Matérn 5/2',
    },
    width: 'width of a bump',
    at: 'where f is read off',
    bumps: 'bumps',
    lines: { f: 'f, their sum', part: 'αᵢk(xᵢ, ·), each bump', g: 'g', before: 'f before' },
    show: 'second function',
    shows: { none: 'none', least: 'same values, least norm', wiggle: 'same values, more norm' },
    grip: (i: number, x: number, a: number) =>
      `Bump ${i} at x = ${x} with weight ${a}. Arrow keys move it; Delete takes it away.`,
    add: 'Add a bump',
    remove: 'Take the last away',
    squared: '‖f‖² = αᵀKα',
    value: 'f(x) = Σαᵢk(xᵢ, x)',
    product: '⟨f, k(x, ·)⟩',
    second: '‖g‖²',
    apart: 'largest difference of f and g at the marked places',
    verdict: (value: string, product: string) =>
      `At the marked x, f is ${value}, and the inner product of f with the bump at x is ${product}.`,
    same: (f: string, g: string) =>
      `g (dashed) has the values of f at the four dots: ‖f‖² = ${f}, ‖g‖² = ${g}.`,
    caption: (kernel: string, width: string, bumps: number) =>
      `f = Σαᵢk(xᵢ, ·) with ${bumps} bumps of the kernel ${kernel}, width ${width}.`,
    columns: ['x', 'f', 'g'],
  },
  discrepancy: {
    heading: 'Two samples, two functions',
    shift: 'distance of the means',
    spread: 'spread of the second',
    n: 'numbers in each sample',
    gamma: 'how narrow a bump is',
    lines: {
      first: 'mean of the first’s bumps',
      second: 'of the second’s',
      witness: 'their difference',
      x: 'first sample',
      y: 'second sample',
    },
    x: 'x',
    y: 'value of the function',
    biased: '‖μ₁ − μ₂‖², the squared MMD',
    unbiased: 'estimate without k(xᵢ, xᵢ)',
    verdict: (biased: string, unbiased: string) =>
      `The squared norm of the difference is *${biased}*; without the terms k(xᵢ, xᵢ) it would be ${unbiased}.`,
    caption: (n: number, shift: string, spread: string, gamma: string, seed: number) =>
      `Two samples of ${n} Gaussian numbers, means ${shift} apart, the second with the standard deviation ${spread}, seed ${seed}; Gaussian kernel, γ = ${gamma}. The samples are drawn along the axis.`,
    columns: ['x', 'first', 'second', 'difference'],
  },
  smoother: {
    heading: 'One picture, two names',
    kernel: 'weights by',
    kernels: { rbf: 'Gaussian of the distance', exponential: 'exponential of q·k' },
    gamma: 'sharpness',
    at: 'query',
    name: 'read it as',
    names: { smoother: 'Nadaraya–Watson', attention: 'softmax attention' },
    ladder: 'what is learned',
    rungs: {
      none: 'nothing',
      width: 'the width',
      keys: 'width and keys',
      values: 'keys and values too',
    },
    grip: (i: number, x: number, y: number) =>
      `Pair ${i}: key ${x}, value ${y}. Arrow keys move it.`,
    numbers: {
      output: 'output at the query',
      difference: 'largest difference to the weights of softmax',
      biased: 'the same with the bias −γ‖kⱼ‖² in the scores',
    },
    verdict: {
      exponential: (difference: string) =>
        `The weights k(q, kⱼ)/Σk(q, kⱼ) and softmax(s·q·kⱼ) differ by at most *${difference}*: one formula.`,
      rbf: (difference: string, biased: string) =>
        `softmax(2γ·q·kⱼ) differs from the Gaussian weights by up to *${difference}*; with the bias −γ‖kⱼ‖² added to the scores, by ${biased}.`,
    },
    learned: (before: string, after: string, gamma: string, steps: number) =>
      `The mean squared error, each pair predicted from the others, goes from ${before} to *${after}* in ${steps} steps, with γ = ${gamma} at the end.`,
    hardly: (before: string, after: string, gamma: string, steps: number) =>
      `The mean squared error, each pair predicted from the others, hardly changes: it is ${before} before and *${after}* after ${steps} steps, with γ = ${gamma} at the end.`,
    caption: (kernel: string, gamma: string, rung: string) =>
      `Kernel smoothing on a line: ${kernel}, γ = ${gamma}; learned: ${rung}. Weights at the query are drawn from the base.`,
    columns: ['x', 'output'],
    line: {
      smoother: 'weighted mean of the values',
      attention: 'output of attention',
      weights: 'weight of each key at the query',
      before: 'before',
    },
  },
  projected: {
    heading: 'Who asks and who is asked: two projections',
    same: 'one projection for queries and keys',
    n: 'tokens',
    d: 'width of a token',
    asymmetry: 'asymmetry, ‖A − Aᵀ‖/‖A‖',
    share: 'smallest eigenvalue of (A + Aᵀ)/2 over the largest',
    symmetric:
      'One projection: the matrix is symmetric and no eigenvalue is negative, so it is a Gram matrix of the exponential kernel.',
    not: (asymmetry: string) =>
      `Two projections: A and its transpose differ by *${asymmetry}* of the size of A, so no kernel on the tokens has A as its Gram matrix.`,
    caption: (n: number, d: number, seed: number, same: boolean) =>
      `Exponential scores of ${n} Gaussian tokens of width ${d}, seed ${seed}, ${same ? 'one projection' : 'two projections'}.`,
  },
  approximation: {
    heading: 'Implicit and explicit on the same data',
    show: 'show',
    shows: {
      gram: 'error of the Gram matrix',
      output: 'error of the output',
      variance: 'variance of the features',
      rank: 'how many features λ can use',
      cost: 'multiply-adds over n',
      time: 'time here, over n',
    },
    n: 'points',
    d: 'width',
    gamma: 'sharpness γ',
    features: 'features',
    names: {
      offset: 'cosines',
      paired: 'pairs',
      orthogonal: 'orthogonal',
      nystroem: 'Nyström',
    },
    best: 'best of rank D',
    methods:
      'cosines: random Fourier features with a random phase each. pairs: a cosine and a sine of each frequency. orthogonal: pairs of which the frequencies are orthogonal to each other.',
    x: { D: 'features D', n: 'points n', distance: 'distance of two points', lambda: 'λ' },
    y: {
      gram: 'relative error of K',
      output: 'relative error of the smoothed output',
      variance: 'variance of the product of features',
      rank: 'features',
      cost: 'multiply-adds',
      time: 'milliseconds',
    },
    times: {
      kernel: 'implicit: the kernel itself',
      features: 'explicit: random cosines, sum over keys first',
    },
    variances: { offset: 'random cosines', paired: 'cosine and sine pairs' },
    ranks: { effective: 'effective dimension Σ σ/(σ + λ)', points: 'points n' },
    costs: {
      implicit: 'implicit: n×n Gram matrix, then its product with V',
      ridge: 'implicit ridge regression: n³/6',
      explicit: 'explicit: write φ, sum over keys first',
    },
    verdict: (best: string, D: number, error: string, worst: string, worstError: string) =>
      `With D = ${D} features the mean error is *${error}* for ${best} and ${worstError} for ${worst}.`,
    costVerdict: (n: string, implicit: string, explicit: string) =>
      `At n = ${n}: ${implicit} multiply-adds without φ, ${explicit} with it.`,
    timeVerdict: (
      n: string,
      implicit: string,
      explicit: string,
      D: number,
      error: string,
      at: string,
    ) =>
      `At n = ${n}, smoothing takes *${implicit} ms* with the kernel and *${explicit} ms* with D = ${D} features, whose output is off by ${error} of its size (at n = ${at}).`,
    varianceVerdict: (D: number, paired: string, offset: string) =>
      `Equal points have the product 1: with D = ${D} features, pairs of cosine and sine make it with the variance ${paired}, single cosines with random phases with ${offset}.`,
    rankVerdict: (lambda: string, dimension: string, n: number) =>
      `At λ = ${lambda}, ridge regression on these ${n} points behaves as if it had ${dimension} features: about so many random features or landmarks are worth having.`,
    timeCaption: (d: number, D: number) =>
      `Kernel smoothing of points of width ${d} with one value each, Gaussian kernel with γ = 1/d, D = ${D} random Fourier features; medians of measurements made in this browser, bars from the fastest to the slowest. The error is a mean over draws of the features.`,
    varianceCaption: (D: number, gamma: string) =>
      `Variance of z(x)·z(y), whose mean is k(x, y), over the drawn frequencies; Gaussian kernel, γ = ${gamma}, D = ${D} features each.`,
    rankCaption: (n: number, d: number, gamma: string, seed: number) =>
      `The effective dimension: each eigenvalue σ of the Gram matrix counts σ/(σ + λ), nearly 1 where it is far above λ and nearly 0 far below. ${n} Gaussian points of width ${d}, seed ${seed}, Gaussian kernel, γ = ${gamma}.`,
    caption: (n: number, d: number, gamma: string, draws: number, seed: number) =>
      `Gaussian kernel, γ = ${gamma}, on ${n} Gaussian points of width ${d}, seed ${seed}; means of ${draws} draws, bars from the smallest to the largest.`,
    costCaption: (d: number, D: number) =>
      `Counted multiply-adds for points of width ${d} with one value each, D = ${D} features.`,
    columns: ['D', 'method', 'mean error', 'smallest', 'largest'],
  },
};
export type Figures = typeof words;
