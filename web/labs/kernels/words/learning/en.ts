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
      outside: 'part of f that no data point sees',
      before: 'f before',
    },
    alpha: 'α of each bump',
    numbers: {
      objective: 'objective',
      loss: 'mean loss',
      norm: '‖f‖²',
      orthogonal: 'squared norm of the part beyond the span of the data',
      closed: 'objective of the closed form',
    },
    verdict: (t: number, objective: string, closed: string) =>
      `After ${plural(t, 'step')} the objective is *${objective}*; the closed form has ${closed}.`,
    noClosed: (t: number, objective: string) =>
      `After ${plural(t, 'step')} the objective is *${objective}*; this loss has no closed form.`,
    orthogonal: (t: number, before: string, now: string) =>
      `The part of f that no data point sees has the squared norm ${before} at the start and *${now}* after ${plural(t, 'step')}.`,
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
    of: (count: number, n: number) => `${count} of ${n}`,
    numbers: { kept: 'points kept', bounded: 'at the bound C' },
    rank: 'rank of the point',
    bound: 'C',
    next: (t: number, i: number, j: number, gain: string, gap: string) =>
      `Step ${t} moved points ${i} and ${j}, the ones with numbers: the dual objective gained *${gain}*, and the gap is now ${gap}.`,
    start: (i: number, j: number) =>
      `Nothing is moved yet; the first step will take points ${i} and ${j}, the ones with numbers.`,
    unfinished: (t: number, gap: string, tolerance: string) =>
      `After ${plural(t, 'step')} the machine is not done: the gap is *${gap}*, and the tolerance ${tolerance}.`,
    done: (steps: number, kept: number, n: number, bounded: number) =>
      `After ${plural(steps, 'step')} the gap is within the tolerance: *${kept} of ${n} points* are kept, ${bounded} of them at C, and the others could be thrown away.`,
    squared: (n: number, least: string) =>
      `The squared loss pulls at every point: *all ${n} points* are kept, the smallest |α| is ${least}.`,
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
    verdict: (width: number, difference: string) =>
      `With ${plural(width, 'neuron')} the trained network is *${difference}* from the kernel’s prediction (root mean square).`,
    noSweep: 'The comparison of widths is made for one hidden layer.',
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
      plain: 'RBF alone',
      deep: 'on a network',
    },
    x: 'x',
    y: 'f(x), with two standard deviations',
    curveTitle: 'What the training sees, and what it does not see',
    curveX: 'step',
    curveY: 'ln p, per point',
    curves: {
      train: 'training points',
      test: 'new points',
      plainTrain: 'RBF alone, training',
      plainTest: 'RBF alone, new',
    },
    verdict: (train: string, plainTrain: string, test: string, plainTest: string, what: string) =>
      `ln p of a new point is *${test}* (RBF alone: ${plainTest}), of a training point *${train}* (${plainTrain}): ${what}.`,
    count: 'trained numbers',
    helps: 'the network helps',
    fools: 'it has overfitted',
    neither: 'the network does not pay',
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
