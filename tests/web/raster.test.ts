/** Tests how cells become pixels where a picture has fewer pixels than cells. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type ColorScale, colorOf, NOT_FINITE, packed } from '../../web/src/plot/color';
import { rasterize, type View } from '../../web/src/plot/raster';

beforeAll(() => {
  // Node has no ImageData.
  globalThis.ImageData ??= class {
    readonly data: Uint8ClampedArray;
    constructor(
      readonly width: number,
      readonly height: number,
    ) {
      this.data = new Uint8ClampedArray(4 * width * height);
    }
  } as unknown as typeof ImageData;
});

const scale: ColorScale = {
  ...{ kind: 'sequential', low: -1, high: 1, tone: 'linear', overLow: false, overHigh: false },
};

/** Numbers of both signs that are the same on every machine. */
const noise = (count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => Math.sin(i * 12.9898) * Math.cos(i * 0.37));

async function draw(
  data: Float32Array,
  cols: number,
  size: number,
  {
    visible = (_row: number) => cols,
    view,
  }: { visible?: (row: number) => number; view?: View } = {},
): Promise<Uint32Array> {
  const matrix = { rows: data.length / cols, cols, data };
  const image = await rasterize({
    ...{ matrix, scale, dark: false, visible, maxWidth: size, maxHeight: size },
    view: view ?? { row: 0, col: 0, rows: matrix.rows, cols },
  });
  return new Uint32Array(image?.data.buffer ?? new ArrayBuffer(0));
}

/** The nearest step of the colour table is within one shade of the exact colour. */
function expectColour(pixel: number | undefined, value: number): void {
  const wanted = colorOf(scale, value, false);
  const seen = [0, 8, 16].map((shift) => ((pixel ?? 0) >>> shift) & 255);
  seen.forEach((channel, i) => {
    expect(Math.abs(channel - (wanted[i] ?? 0)), `${value}`).toBeLessThanOrEqual(2);
  });
}

describe('a picture with fewer pixels than cells', () => {
  it('shows the strongest cell of each pixel, with its sign', async () => {
    const [cols, size] = [50, 16];
    const data = noise(cols * cols);
    const pixels = await draw(data, cols, size);
    const edge = (i: number): number => Math.floor((i * cols) / size);
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) {
        let strongest = 0;
        for (let row = edge(y); row < edge(y + 1); row++) {
          for (let col = edge(x); col < edge(x + 1); col++) {
            const value = data[row * cols + col] as number;
            if (Math.abs(value) > Math.abs(strongest)) strongest = value;
          }
        }
        expectColour(pixels[y * size + x], strongest);
      }
    }
  });

  it('leaves cells transparent that the mask hides, and entries that a mask set to −∞', async () => {
    const cols = 32;
    const data = noise(cols * cols);
    for (let col = 0; col < cols; col++) data[col] = -Infinity;
    for (let col = 0; col < cols; col++) data[cols + col] = -Infinity;
    const pixels = await draw(data, cols, 16, { visible: (row) => row + 1 });
    // The first line of pixels holds two rows of −∞.
    expect([...pixels.subarray(0, 16)]).toEqual(Array(16).fill(0));
    for (let y = 1; y < 16; y++) {
      for (let x = 0; x < 16; x++) expect(pixels[y * 16 + x] !== 0).toBe(x <= y);
    }
  });

  it('marks a pixel with a NaN, whatever else lies in it', async () => {
    const data = noise(32 * 32);
    data[5 * 32 + 7] = Number.NaN;
    data[20 * 32 + 9] = Number.POSITIVE_INFINITY;
    const pixels = await draw(data, 32, 16);
    expect(pixels[2 * 16 + 3]).toBe(packed(NOT_FINITE) >>> 0);
    expect(pixels[10 * 16 + 4]).toBe(packed(NOT_FINITE) >>> 0);
  });

  it('shows a window of the cells', async () => {
    const data = noise(64 * 64);
    const view = { row: 10, col: 20, rows: 32, cols: 32 };
    const pixels = await draw(data, 64, 16, { view });
    const four = [0, 1, 64, 65].map((step) => data[10 * 64 + 20 + step] as number);
    expectColour(
      pixels[0],
      four.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)),
    );
  });
});

describe('a picture with a pixel for each cell', () => {
  it('has their colours', async () => {
    const data = noise(12 * 12);
    const pixels = await draw(data, 12, 64);
    expect(pixels).toHaveLength(144);
    data.forEach((value, i) => {
      expectColour(pixels[i], value);
    });
  });
});
