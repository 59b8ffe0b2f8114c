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
};
export type Figures = typeof words;
