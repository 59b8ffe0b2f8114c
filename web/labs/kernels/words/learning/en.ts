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
};

export type LearningFigures = typeof words;
