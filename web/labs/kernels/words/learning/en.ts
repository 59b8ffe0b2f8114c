const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const words = {
  descent: {
    heading: 'Descent in a space of functions',
    loss: 'Loss',
    losses: { squared: 'squared', absolute: 'absolute' },
    t: 'steps made',
    lambda: 'price of the norm',
    rate: 'learning rate, in units of the largest that settles',
    gamma: 'how narrow a bump is',
    elsewhere: 'Begin with a bump that is at no data point',
    lines: {
      data: 'data',
      now: 'f after the steps',
      closed: 'closed form',
      start: 'f at the start',
      own: 'α after the steps',
      ownClosed: 'α in closed form',
    },
    x: 'x',
    y: 'f(x)',
    alpha: 'α',
    coefficients: 'One coefficient for each bump',
    verdict: (t: number, objective: string, closed: string) =>
      `After ${plural(t, 'step')} the objective is *${objective}*; the closed form has ${closed}.`,
    noClosed: (t: number, objective: string) =>
      `After ${plural(t, 'step')} the objective is *${objective}*. This loss has no closed form.`,
    norm: (loss: string, norm: string) => `Mean loss ${loss}, ‖f‖² = ${norm}.`,
    orthogonal: (before: string, now: string) =>
      `The part of f that is orthogonal to the span of the data has the squared norm ${before} at the start and *${now}* now. No data point sees it.`,
    inside: (n: number) =>
      `f is a sum of ${n} bumps, one for each data point, and the part of it outside their span is 0.`,
    diverged:
      'This rate is too large: the descent overflowed, and the last function before that is shown.',
    caption: (n: number, lambda: string, gamma: string, rate: string, loss: string, seed: number) =>
      `${n} noisy values of sin 2x, seed ${seed}; RBF kernel, γ = ${gamma}; ${loss} loss, λ = ${lambda}, learning rate ${rate}.`,
    columns: ['x', 'f', 'closed form'],
  },
  smo: {
    heading: 'A support vector machine, pair by pair',
    show: 'Loss',
    shows: { hinge: 'hinge: SVM', squared: 'squared: ridge' },
    t: 'steps made',
    c: 'price of a point on the wrong side',
    gamma: 'how narrow a bump is',
    pattern: 'Points',
    patterns: { moons: 'moons', xor: 'XOR', rings: 'rings', blobs: 'blobs' },
    noise: 'noise',
    gap: 'gap of the conditions',
    step: 'step',
    tolerance: 'tolerance',
    gapTitle: 'How far the worst pair is from its conditions',
    alphaTitle: 'How large α is at each point, the largest first',
    alpha: 'α',
    size: '|α|',
    rank: 'rank of the point',
    bound: 'C',
    next: (i: number, j: number, gain: string) =>
      `The last step moved points ${i} and ${j}, the ones with numbers: point ${i} violated its condition most, and together with ${j} the dual objective gained *${gain}*.`,
    start: (i: number, j: number) =>
      `Nothing is moved yet. The first step will take points ${i} and ${j}, the ones with numbers.`,
    done: (steps: number, kept: number, n: number) =>
      `After ${plural(steps, 'step')} the gap is within the tolerance. *${kept} of ${n} points* are kept; the others could be thrown away.`,
    kept: (kept: number, bounded: number) =>
      `${kept} points have α > 0, ${bounded} of them are at C.`,
    squared: (n: number, least: string) =>
      `The squared loss pulls at every point, also at those far on the right side: *all ${n} points* are kept, the smallest |α| is ${least}.`,
    alt: 'The plane with its points, the decision surface after these steps and the pair of the last one, or of the first before it',
    caption: (
      n: number,
      c: string,
      gamma: string,
      pattern: string,
      seed: number,
      tolerance: string,
    ) =>
      `${n} points (${pattern}, seed ${seed}), RBF kernel, γ = ${gamma}, C = ${c}, tolerance ${tolerance}. Ridge regression on the labels has λ = 1/(2C), which prices the norm alike.`,
    columns: ['point', 'x', 'y', 'label', 'alpha', 'f'],
  },
  wide: {
    heading: 'A network beside its kernel',
    width: 'neurons of a hidden layer',
    layers: 'hidden layers',
    steps: 'steps of gradient descent',
    lines: {
      data: 'data',
      start: 'network before training',
      network: 'network after training',
      kernel: 'prediction of the kernel',
    },
    x: 'angle of the point on the unit circle',
    y: 'f',
    sweepTitle: 'The same training at other widths',
    sweepX: 'width',
    sweepY: 'relative, or distance in f',
    sweep: {
      difference: 'distance of network and kernel',
      weights: 'movement of the weights',
      kernel: 'change of the tangent kernel',
    },
    verdict: (width: number, difference: string, weights: string, kernel: string) =>
      `With ${plural(width, 'neuron')} the trained network is *${difference}* from the kernel's prediction (root mean square). Its weights moved by ${weights}, its tangent kernel changed by ${kernel}, both relative to the start.`,
    caption: (n: number, layers: number, steps: number, seed: number, count: number) =>
      `${n} points on the unit circle with the values sin 2θ; ReLU network with ${plural(layers, 'hidden layer')} and ${plural(count, 'weight')} in NTK parametrisation (standard deviation √2 for the weights, 0.1 for the biases), ${plural(steps, 'step')} of full-batch gradient descent on ½Σ(f − y)² at the rate of 1 over the kernel's largest eigenvalue; kernel: closed form, the same descent. Seed ${seed}.`,
    columns: ['angle', 'before', 'network', 'kernel'],
  },
  deep: {
    heading: 'A kernel that learns',
    data: 'Function behind the data',
    functions: {
      step: 'a jump',
      chirp: 'faster to the right',
      sine: 'a sine',
      nothing: 'nothing: noise',
    },
    n: 'training points',
    noise: 'noise',
    hidden: 'hidden neurons',
    steps: 'steps of training',
    lines: {
      data: 'training points',
      truth: 'the function',
      plain: 'RBF kernel alone',
      deep: 'RBF kernel on a network',
    },
    x: 'x',
    y: 'f(x), with two standard deviations',
    curveTitle: 'What the training sees, and what it does not see',
    curveX: 'step',
    curveY: 'ln p, per point',
    curves: {
      train: 'likelihood of the training points',
      test: 'density of new points',
      plainTrain: 'RBF alone, training points',
      plainTest: 'RBF alone, new points',
    },
    verdict: (count: number, train: string, plainTrain: string, test: string, plainTest: string) =>
      `With ${count} trained numbers the log likelihood per training point is *${train}* (RBF alone: ${plainTrain}). New points have the log density *${test}* (RBF alone: ${plainTest}).`,
    helps: 'The learned kernel predicts new points better.',
    fools:
      'The learned kernel is more likely by its own measure and predicts new points worse: it has overfitted its likelihood.',
    neither: 'Here the network does not pay.',
    caption: (
      n: number,
      noise: string,
      hidden: number,
      steps: number,
      seed: number,
      tests: number,
    ) =>
      `${n} training points with noise ${noise}, ${tests} new points with the same noise; φ(x) = W₂ tanh(W₁x + b₁) + b₂ with ${hidden} hidden neurons and 2 outputs, trained with the kernel for ${plural(steps, 'step')} of AdamW on the log marginal likelihood. Seed ${seed}.`,
    columns: ['x', 'rbf_mean', 'rbf_sd', 'deep_mean', 'deep_sd'],
  },
};

export type LearningFigures = typeof words;
