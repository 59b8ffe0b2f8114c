/** An SVG text as a picture. */
import { withPageFonts } from './page-fonts.ts';

/** Twice as many pixels as its size says, for paper and sharp screens. */
export async function svgToPng(svg: string, scale = 2): Promise<Blob> {
  const whole = await withPageFonts(svg);
  const address = URL.createObjectURL(new Blob([whole], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = scale * image.naturalWidth;
    canvas.height = scale * image.naturalHeight;
    const context = canvas.getContext('2d');
    context?.scale(scale, scale);
    context?.drawImage(image, 0, 0);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (!context || !blob) throw new Error(`no picture of ${canvas.width} × ${canvas.height}`);
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}
