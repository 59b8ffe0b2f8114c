/** The opening of the kernels lab: points that are put, dragged and walked with keys, and what the core is then asked. */
import { describe, expect, it, vi } from 'vitest';
import '../../web/src/styles/bench.css';
import '../../web/labs/kernels/kernels.css';
import '../../web/labs/kernels/figures/plane/plane';
import type { AttnKernelPlane } from '../../web/labs/kernels/figures/plane/plane';
import { labFigure } from './lab-figure';
import { all, inside, settled, textOf, violations } from './support';

const GRID = 90 * 90;
const matrix = (rows: number, cols: number, data: ArrayLike<number>) => ({
  ...{ rows, cols, data: Float32Array.from(data) },
});

/** A core that keeps what it is asked. Its machine keeps the first point, or both where errors are cheap, and says 1 everywhere. */
class Core {
  module: 'start' | 'full' = 'full';
  readonly machines: { x: { data: Float32Array }; y: { data: Float32Array }; c: number }[] = [];
  votes = 0;
  arrive: () => void = () => undefined;

  readonly planePoints = async () => ({
    x: matrix(2, 2, [-1, 0.5, 1, -0.5]),
    y: matrix(2, 1, [1, -1]),
  });
  readonly supportVectorClassification = async (input: Core['machines'][number]) => {
    this.machines.push(input);
    const n = input.y.data.length;
    return {
      ...{
        alpha: matrix(
          n,
          1,
          Array.from({ length: n }, (_, i) => (i === 0 ? 0.5 : 0)),
        ),
      },
      ...{
        decision: matrix(n, 1, input.y.data),
        predictions: matrix(GRID, 1, Array(GRID).fill(1)),
      },
      ...{
        supportVectors: input.c < 1 ? 2 : 1,
        bounded: 0,
        accuracy: 1,
        converged: true,
        steps: 3,
        gap: 0.0005,
        scaleGamma: 0.8,
      },
    };
  };
  readonly attention = async (input: { q: { rows: number } }) => {
    this.votes++;
    return { output: matrix(input.q.rows, 1, Array(input.q.rows).fill(1)) };
  };
  fetched = 0;
  readonly kernels = () =>
    new Promise<void>((done) => {
      this.fetched++;
      this.arrive = () => {
        this.module = 'full';
        done();
      };
    });
}

async function plane(core = new Core(), search = '') {
  const element = labFigure('attn-kernel-plane', {
    ...{ client: core, lab: 'kernels', search, place: { id: 'plane' }, opening: true },
  });
  await vi.waitFor(() => inside(element, '.plane svg'));
  await settled(element);
  return { element, core };
}

const picture = (of: AttnKernelPlane): SVGSVGElement => inside<SVGSVGElement>(of, '.plane svg');
const line = (of: AttnKernelPlane): string => textOf(inside(of, '.result-line'));
/** Where a place of the plane is in the window. */
function at(of: AttnKernelPlane, x: number, y: number) {
  const box = picture(of).getBoundingClientRect();
  return {
    clientX: box.left + ((x + 2.5) / 5) * box.width,
    clientY: box.top + ((2.5 - y) / 5) * box.height,
  };
}
function pointer(of: AttnKernelPlane, kind: string, x: number, y: number): void {
  const how = { bubbles: true, cancelable: true, button: 0, pointerId: 1 };
  picture(of).dispatchEvent(new PointerEvent(kind, { ...how, ...at(of, x, y) }));
}
function press(of: AttnKernelPlane, key: string, shiftKey = false): void {
  const how = { bubbles: true, cancelable: true };
  picture(of).dispatchEvent(new KeyboardEvent('keydown', { ...how, key, shiftKey }));
}
/** The points that the machine was asked about last, a pair each. */
const asked = async ({ machines }: Core, times: number): Promise<number[][]> => {
  await vi.waitFor(() => expect(machines.length).toBeGreaterThanOrEqual(times));
  const data = machines.at(-1)?.x.data ?? new Float32Array();
  return Array.from({ length: data.length / 2 }, (_, i) => [
    Math.round(100 * (data[2 * i] ?? 0)) / 100,
    Math.round(100 * (data[2 * i + 1] ?? 0)) / 100,
  ]);
};

describe('the plane', () => {
  it('asks the machine about a point where the pointer drags it, and leaves the others alone', async () => {
    const { element, core } = await plane();
    // A pointer made by a test cannot be captured.
    picture(element).setPointerCapture = () => undefined;
    expect(await asked(core, 1)).toEqual([
      [-1, 0.5],
      [1, -0.5],
    ]);
    pointer(element, 'pointerdown', 1, -0.5);
    pointer(element, 'pointermove', 1.5, 1);
    pointer(element, 'pointerup', 1.5, 1);
    await expect
      .poll(async () => asked(core, 2))
      .toEqual([
        [-1, 0.5],
        [1.5, 1],
      ]);
    // A drag beyond the edge ends at the edge.
    pointer(element, 'pointerdown', 1.5, 1);
    pointer(element, 'pointermove', 9, 1);
    pointer(element, 'pointerup', 9, 1);
    await expect.poll(async () => (await asked(core, 3))[1]).toEqual([2.5, 1]);
  });

  it('puts a point of the chosen colour where there is none, and takes it away with two clicks', async () => {
    const { element, core } = await plane();
    element.set({ next: 'down' });
    pointer(element, 'pointerdown', 0, -2);
    pointer(element, 'pointerup', 0, -2);
    await expect.poll(async () => (await asked(core, 2))[2]).toEqual([0, -2]);
    expect([...(core.machines.at(-1)?.y.data ?? [])]).toEqual([1, -1, -1]);
    const how = { bubbles: true, cancelable: true };
    picture(element).dispatchEvent(new MouseEvent('dblclick', { ...how, ...at(element, 0, -2) }));
    await expect.poll(async () => (await asked(core, 3)).length).toBe(2);
  });

  it('puts no point where a finger begins to scroll the page, and takes the page along with a point', async () => {
    const { element, core } = await plane();
    picture(element).setPointerCapture = () => undefined;
    expect(getComputedStyle(picture(element)).touchAction).toBe('pan-y pinch-zoom');
    const touch = (): Event => {
      const event = new Event('touchmove', { bubbles: true, cancelable: true });
      picture(element).dispatchEvent(event);
      return event;
    };
    // The browser takes the gesture for the page.
    pointer(element, 'pointerdown', 0, -2);
    expect(touch().defaultPrevented).toBe(false);
    pointer(element, 'pointercancel', 0, -1);
    // A finger that wanders is no tap either.
    pointer(element, 'pointerdown', 0, -2);
    pointer(element, 'pointerup', 1, -1);
    await settled(element);
    expect(core.machines).toHaveLength(1);
    expect((await asked(core, 1)).length).toBe(2);
    // A finger that has a point keeps it.
    pointer(element, 'pointerdown', 1, -0.5);
    expect(touch().defaultPrevented).toBe(true);
    pointer(element, 'pointermove', 1, -1);
    pointer(element, 'pointercancel', 1, -1);
    await expect.poll(async () => (await asked(core, 2))[1]).toEqual([1, -1]);
    expect(touch().defaultPrevented).toBe(false);
  });

  it('draws the line before a try as a ghost, and says what has changed with both numbers', async () => {
    const { element } = await plane();
    element.tryOut({ id: 'cheap', title: 'Cheap', values: { c: 0.1 } });
    await vi.waitFor(() => inside(element, '.plane path.before'));
    await expect.poll(() => line(element)).toContain('Support vectors: 1 of 2 → 2 of 2');
    expect(line(element)).toContain('as before');
    element.leaveTry();
    await vi.waitFor(() => expect(all(element, '.plane path.before')).toHaveLength(0));
  });

  it('moves points by keys: arrows, another point, its colour, one more, one less', async () => {
    const { element, core } = await plane();
    press(element, 'ArrowRight');
    await expect.poll(async () => (await asked(core, 2))[0]).toEqual([-0.9, 0.5]);
    press(element, 'ArrowUp', true);
    await expect.poll(async () => (await asked(core, 3))[0]).toEqual([-0.9, 0.52]);
    press(element, 'PageDown');
    await settled(element);
    expect(picture(element).getAttribute('aria-label')).toContain('Point 2 of 2, blue');
    press(element, 'Enter');
    await expect.poll(async () => (await asked(core, 4))[2]).toEqual([0, 0]);
    press(element, 'c');
    await expect.poll(() => [...(core.machines.at(-1)?.y.data ?? [])]).toEqual([1, -1, -1]);
    press(element, 'Delete');
    await expect.poll(async () => (await asked(core, 6)).length).toBe(2);
    // A key that the plane does not know is the browser's.
    const tab = new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true });
    picture(element).dispatchEvent(tab);
    expect(tab.defaultPrevented).toBe(false);
  });

  it('has the points alone until the machine is there, which comes by itself, and draws no other function', async () => {
    const core = new Core();
    core.module = 'start';
    const { element } = await plane(core);
    expect(line(element)).toContain('support vector machine is on its way');
    const canvas = inside<HTMLCanvasElement>(element, '.plane canvas');
    const drawn = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
    expect(drawn?.every((part) => part === 0)).toBe(true);
    expect(all(element, '.plane-role.margin')).toHaveLength(0);
    expect(core.machines).toHaveLength(0);
    // The points follow the hand meanwhile.
    press(element, 'ArrowRight');
    await settled(element);
    expect(core.machines).toHaveLength(0);
    await expect.poll(() => core.fetched).toBe(1);
    core.arrive();
    expect(await asked(core, 1)).toEqual([
      [-0.9, 0.5],
      [1, -0.5],
    ]);
    await expect.poll(() => line(element)).toContain('keeps 1 of 2 points');
    expect(all(element, '.plane-role.margin')).toHaveLength(1);
    expect(core.votes).toBe(0);
  });

  it('has the colour of a place where f is 1 in its legend, apart from the colours of the points', async () => {
    const { element } = await plane();
    const swatch = (role: string): string =>
      getComputedStyle(inside(element, `.plane-role.${role}`), '::before').backgroundColor;
    const parts = (colour: string): number[] =>
      (colour.match(/\d+/g) ?? []).slice(0, 3).map(Number);
    const canvas = inside<HTMLCanvasElement>(element, '.plane canvas');
    const drawn = canvas.getContext('2d')?.getImageData(45, 45, 1, 1).data.subarray(0, 3);
    // The picture takes its colours from a table of a few hundred steps.
    for (const [i, part] of parts(swatch('above')).entries()) {
      expect(Math.abs(part - (drawn?.[i] ?? -255))).toBeLessThanOrEqual(2);
    }
    const colours = ['up', 'down', 'above', 'below'].map(swatch);
    expect(new Set(colours).size).toBe(colours.length);
  });

  it('says what is missing with points of one colour, and asks nothing', async () => {
    const { element, core } = await plane(new Core(), '?points=a0,0a1,1');
    expect(line(element)).toContain('both colours');
    expect(core.machines).toHaveLength(0);
    expect(await violations(element)).toEqual([]);
  });

  it('says that it is empty, and asks nothing', async () => {
    const { element, core } = await plane(new Core(), '?points=-');
    expect(line(element)).toContain('is empty');
    expect(core.machines).toHaveLength(0);
    expect(core.votes).toBe(0);
  });

  it('names the points of a link that it cannot read, and keeps the others', async () => {
    const { element, core } = await plane(new Core(), '?points=aNaN,1b2a1,1b-1,0a1e3,2');
    expect(await asked(core, 1)).toEqual([
      [1, 1],
      [-1, 0],
    ]);
    const notice = inside(element, '.notice');
    expect(notice.getAttribute('role')).toBe('alert');
    expect(textOf(notice)).toContain('cannot be read and are left out: ‘aNaN,1’, ‘b2’, ‘a1e3,2’.');
    expect(textOf(notice)).toContain('written like a0.5,-1.');
    expect(await violations(element)).toEqual([]);
    // The first move writes the points that are there, and nothing is left to be said.
    press(element, 'ArrowRight');
    await expect.poll(async () => (await asked(core, 2))[0]).toEqual([1.1, 1]);
    await settled(element);
    expect(all(element, '.notice')).toHaveLength(0);
  });

  it('says how many points of a long link it shows, and nothing about a link that it can read', async () => {
    const long = `?points=${'a0,0b1,1'.repeat(61)}`;
    const { element } = await plane(new Core(), long);
    expect(textOf(inside(element, '.notice'))).toContain('122 points; the first 120 of them');
    const { element: whole } = await plane(new Core(), '?points=a0,0b.5,-1');
    expect(all(whole, '.notice')).toHaveLength(0);
  });

  it('keeps a link’s points when their knob is locked', async () => {
    const { element, core } = await plane(new Core(), '?points=a0,0b1,1&lock=points');
    expect(await asked(core, 1)).toEqual([
      [0, 0],
      [1, 1],
    ]);
    press(element, 'ArrowRight');
    pointer(element, 'pointerdown', -2, -2);
    await settled(element);
    expect(core.machines).toHaveLength(1);
  });
});
