/**
 * Reads the raw pixels of heatmaps, as one strip with the pictures of a view, and compares it with a stored strip.
 */
import type { Page } from 'playwright-core';

/** The pixels of a heatmap's canvas before the browser scales it: RGBA, row by row. */
export interface Strip {
  readonly width: number;
  readonly height: number;
  readonly data: readonly number[];
}

/** The canvases of all heatmaps within `selector`, side by side. */
export const stripOf = (page: Page, selector: string): Promise<Strip> =>
  page.evaluate((within) => {
    const heatmaps = [...document.querySelectorAll(`${within} attn-heatmap`)];
    const canvases = heatmaps.map(
      (one) => one.shadowRoot?.querySelector('canvas.pixels') as HTMLCanvasElement,
    );
    const strip = document.createElement('canvas');
    strip.width = canvases.reduce((sum, { width }) => sum + width, 0);
    strip.height = Math.max(...canvases.map(({ height }) => height));
    const context = strip.getContext('2d', { willReadFrequently: true });
    let x = 0;
    for (const canvas of canvases) {
      context?.drawImage(canvas, x, 0);
      x += canvas.width;
    }
    const data = context?.getImageData(0, 0, strip.width, strip.height).data ?? [];
    return { width: strip.width, height: strip.height, data: [...data] };
  }, selector);

/** Converts a strip into the bytes of a PNG and back; the browser does both. */
export const encode = async (page: Page, strip: Strip): Promise<Buffer> => {
  const address = await page.evaluate(({ width, height, data }) => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    const image = new ImageData(new Uint8ClampedArray(data), width, height);
    canvas.getContext('2d')?.putImageData(image, 0, 0);
    return canvas.toDataURL('image/png');
  }, strip);
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
};

export const decode = (page: Page, png: Buffer): Promise<Strip> =>
  page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = document.createElement('canvas');
    const { width, height } = bitmap;
    Object.assign(canvas, { width, height });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context?.drawImage(bitmap, 0, 0);
    return { width, height, data: [...(context?.getImageData(0, 0, width, height).data ?? [])] };
  }, png.toString('base64'));

/** The number of pixels that differ by more than `most` in a channel; all pixels where the sizes differ. */
export function different(a: Strip, b: Strip, most: number): number {
  if (a.width !== b.width || a.height !== b.height) return Math.max(a.data.length, b.data.length);
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    if ([0, 1, 2, 3].some((c) => Math.abs((a.data[i + c] ?? 0) - (b.data[i + c] ?? 0)) > most)) {
      count++;
    }
  }
  return count;
}
