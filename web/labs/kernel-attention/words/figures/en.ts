/** English words of the figures below the opening. */
export const words = {
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
      unbiased: 'softmax of the scores alone',
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
    asks: 'who asks',
    asked: 'who is asked',
    pair: (asks: number, asked: number, there: string, back: string) =>
      `Outlined: ${asks} asks ${asked} with *${there}*, ${asked} asks ${asks} with *${back}*.`,
    symmetric: 'So it is everywhere: a Gram matrix of the exponential kernel.',
    not: (asymmetry: string) =>
      `The matrix and its mirror image differ by ${asymmetry} of its size: no kernel on the tokens has it as its Gram matrix.`,
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
      rank: 'how many features are worth having',
      cost: 'multiply-adds over n',
      time: 'time here, over n',
    },
    n: 'points',
    d: 'width',
    gamma: 'sharpness',
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
    x: {
      D: 'features D',
      n: 'points n',
      distance: 'distance of two points',
      lambda: 'λ, the price of the norm in ridge regression',
    },
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
      implicit: 'the kernel itself',
      ridge: 'to solve with it: n³/6',
      explicit: 'features, summed over the keys first',
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
      `With the price λ = ${lambda} on the norm, ridge regression on these ${n} points behaves as if it had ${dimension} features: about so many random features or landmarks are worth having.`,
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
