const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const words = {
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
    sweepX: 'neurons',
    distance: 'distance of network and kernel (root mean square)',
    sweepY: 'distance in f; relative change',
    sweep: {
      difference: 'distance of network and kernel',
      weights: 'movement of the weights',
      kernel: 'change of the tangent kernel',
    },
    verdict: (width: number, difference: string) =>
      `With ${plural(width, 'neuron')} the trained network is *${difference}* from the kernel’s prediction (root mean square).`,
    sweepVerdict: (
      few: number,
      many: number,
      weights: readonly string[],
      kernel: readonly string[],
    ) =>
      `From ${few} to ${many} neurons the change of the kernel falls from *${kernel[0]}* to *${kernel[1]}* of its size, that of the weights from ${weights[0]} to ${weights[1]}.`,
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
