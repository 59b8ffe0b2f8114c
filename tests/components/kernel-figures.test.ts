/** Figures of the lab on bumps and machines: what they say and draw of an answer, which a core made for the test gives. */
import { describe, expect, it, vi } from 'vitest';
import '../../web/src/styles/bench.css';
import '../../web/labs/kernels/kernels.css';
import '../../web/labs/kernels/figures/lift/lift';
import { figureWords } from '../../web/labs/kernels/words/figures';
import { learningWords } from '../../web/labs/kernels/words/learning-figures';
import { answered } from './lab-figure';
import { all, inside, settled, textOf } from './support';

const matrix = (rows: number, cols: number, data: ArrayLike<number>) => ({
  ...{ rows, cols, data: Float32Array.from(data) },
});

/** The figure of this tag with its answer. */
const figure = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, core: object, search = '') =>
  answered(tag, { client: core, lab: 'kernels', search });
const line = (of: Element): string => textOf(inside(of, '.result-line'));

describe('whether a function is a kernel', () => {
  const core = (eigenvalues: readonly number[]) => {
    const n = eigenvalues.length;
    return {
      kernelGram: async () => matrix(n, n, Array(n * n).fill(1)),
      checkDefiniteness: async () => ({
        ...{ eigenvalues: Float64Array.from(eigenvalues), tolerance: 1e-9 },
        ...{ positiveSemidefinite: true, witness: new Float64Array(), form: 0 },
      }),
      describeKernel: async () => ({ definiteness: 'positiveSemidefinite' }),
    };
  };
  const shown = async (eigenvalues: readonly number[], search = '') => {
    await figureWords.with(
      () => import('../../web/labs/kernels/figures/definiteness/definiteness'),
    );
    return figure('attn-kernel-definiteness', core(eigenvalues), search);
  };

  it('calls an eigenvalue within the tolerance 0 up to rounding, and names the tolerance', async () => {
    for (const smallest of [-4e-17, -1.9e-9, 1.9e-9]) {
      const said = line(await shown([smallest, 0.5, 2]));
      expect(said).toContain('0 up to rounding');
      expect(said).toContain('nearer to 0 than 2.00×10⁻⁹, which is 1×10⁻⁹ of the largest');
      expect(said).not.toContain('No eigenvalue is negative');
    }
    for (const smallest of [0, 2.1e-9, 0.25]) {
      expect(line(await shown([smallest, 0.5, 2]))).toContain('No eigenvalue is negative');
    }
  });

  it('names the points that are drawn on top of each other', async () => {
    /** What the figure's sheet says beside the knobs. */
    const details = async (eigenvalues: readonly number[], search: string) => {
      const element = await shown(eigenvalues, search);
      inside(element, '.more-knobs').click();
      await vi.waitFor(() => inside(element, '.sheet .about'));
      return textOf(inside(element, '.sheet'));
    };
    const apart = await details([0.1, 0.2, 0.3, 2], '?one.p=0,0;1,1;2,2;-1,1');
    expect(apart).not.toContain('on top of each other');
    const heaped = await details([0, 0, 0.3, 2], '?one.p=0,0;1,1;0.02,0;0,0.02');
    expect(heaped).toContain('Points 1, 3 and 4 lie on top of each other in the picture.');
  });
});

describe('the lift', () => {
  const core = (radius: number) => ({
    drawRings: async () => ({ points: matrix(2, 2, [1, 0, 2, 0]), labels: [-1, 1] }),
    liftToParaboloid: async () => ({
      ...{ lifted: matrix(2, 3, [1, 0, 1, 2, 0, 4]), sides: [-1, 1], kernelDifference: 0 },
      ...{ centerX: 0.5, centerY: 0, radius },
    }),
  });

  it('draws where plane and paraboloid meet, as a circle when it is seen from above', async () => {
    const above = await figure('attn-kernel-lift', core(1.5), '?one.pitch=90');
    const cut = inside<SVGPathElement>(above, '.kernel-turn .cut').getBBox();
    expect(cut.width).toBeGreaterThan(100);
    // Numbers in paths are rounded to tenths.
    expect(Math.abs(cut.height - cut.width)).toBeLessThan(0.3);
    // Every point stands above its own place: a line for each, and twelve curves of the paraboloid.
    expect(all(above, '.kernel-turn line')).toHaveLength(2);
    const missed = await figure('attn-kernel-lift', core(Number.NaN), '?one.pitch=90');
    expect(all(missed, '.kernel-turn .cut')).toHaveLength(0);
  });

  it('keeps the circle before a try as a ghost, and says what has changed with both numbers', async () => {
    let radius = 1.5;
    const moving = { ...core(1.5), liftToParaboloid: () => core(radius).liftToParaboloid() };
    const element = await figure('attn-kernel-lift', moving);
    expect(all(element, 'circle.before')).toHaveLength(0);
    radius = 2;
    element.tryOut({ id: 'higher', title: 'Higher', values: { c: 4 } });
    await vi.waitFor(() => inside(element, 'circle.before'));
    expect(line(element)).toContain('radius of the circle: 1.50 → 2.00');
    expect(line(element)).toContain('Points on their side: 2 of 2, as before');
    element.leaveTry();
    await vi.waitFor(() => expect(all(element, 'circle.before')).toHaveLength(0));
  });

  it('writes what a try changes as the knobs write it', async () => {
    const element = await figure('attn-kernel-lift', core(1.5));
    element.tryOut({ id: 'finer', title: 'Finer', values: { c: 2, noise: 0.0625 } });
    await settled(element);
    expect(textOf(inside(element, '.tried'))).toContain('c 2.25 → 2 · noise 0.12 → 0.0625');
  });
});

describe('SMO', () => {
  const N = 40;
  const GRID = 80 * 80;
  const steps = [
    { i: 4, j: 9, gain: 1, gap: 2 },
    { i: 7, j: 2, gain: 0.5, gap: 1 },
  ];
  const core = {
    planePoints: async () => ({
      x: matrix(
        N,
        2,
        Array.from({ length: 2 * N }, (_, at) => (at % 2 === 0 ? at / 40 - 1 : 0)),
      ),
      y: matrix(
        N,
        1,
        Array.from({ length: N }, (_, i) => (i % 2 === 0 ? 1 : -1)),
      ),
    }),
    supportVectorClassification: async ({ maxSteps = 2 }: { maxSteps?: number }) => ({
      ...{ alpha: matrix(N, 1, Array(N).fill(0)), decision: matrix(N, 1, Array(N).fill(0)) },
      ...{ predictions: matrix(GRID, 1, Array(GRID).fill(0)), supportVectors: 2, bounded: 0 },
      ...{ trace: steps.slice(0, maxSteps), steps: Math.min(2, maxSteps), gap: 0.5 },
      ...{ accuracy: 1, converged: false },
    }),
    kernelRidge: async () => ({
      ...{ alpha: matrix(N, 1, Array(N).fill(-0.5)), fitted: matrix(N, 1, Array(N).fill(0)) },
      predictions: matrix(GRID, 1, Array(GRID).fill(0)),
    }),
  };
  const shown = async (search: string) => {
    await learningWords.with(() => import('../../web/labs/kernels/figures/smo/smo'));
    return figure('attn-smo-steps', core, search);
  };
  const numbers = (of: Element): string[] => all(of, '.plane svg text').map(textOf);
  const knobs = (of: Element): (string | undefined)[] =>
    all(of, '.knob').map(({ dataset }) => dataset.knob);

  it('says that it is not done where the steps end before the tolerance', async () => {
    expect(line(await shown('?one.t=400'))).toContain('After 400 steps the machine is not done');
  });

  it('numbers the two points of which it speaks, also before the first step', async () => {
    const two = await shown('?one.t=2');
    expect(line(two)).toContain('moved points 8 and 3');
    expect(numbers(two)).toEqual(['3', '8']);
    const none = await shown('?one.t=0');
    expect(line(none)).toContain('will take points 5 and 10');
    expect(numbers(none)).toEqual(['5', '10']);
  });

  it('has no steps to make with the squared loss, which is solved at once', async () => {
    expect(knobs(await shown(''))).toContain('t');
    const squared = await shown('?one.loss=squared');
    expect(knobs(squared)).not.toContain('t');
    expect(numbers(squared)).toEqual([]);
  });
});
