/** A figure as a PNG that stands alone: the canvas, its caption and a background. */

export interface PngOptions {
  /** Every parameter and the seed: without it a picture in a report is worth little. */
  readonly caption: string;
  /** Above the picture, in bold. */
  readonly title?: string;
  /** CSS colours. White with near-black text unless given: most pictures end on paper. */
  readonly background?: string;
  readonly color?: string;
  /** Output pixels for one canvas pixel: a 16×16 matrix is drawn at data resolution. 1 unless given. */
  readonly scale?: number;
  /** CSS font family. */
  readonly font?: string;
}

const MARGIN = 24;
const TEXT_SIZE = 15;
const LINE_HEIGHT = 21;
/** A caption under a small picture still needs a readable measure. */
const MIN_WIDTH = 480;

/** Draws one or several canvases side by side with the caption below. */
export async function canvasToPng(
  canvas: HTMLCanvasElement | readonly HTMLCanvasElement[],
  options: PngOptions,
): Promise<Blob> {
  const pictures = canvas instanceof HTMLCanvasElement ? [canvas] : canvas;
  const { caption, title, background = '#ffffff', color = '#1a1a1a', scale = 1 } = options;
  const family = options.font ?? 'system-ui, sans-serif';
  const page = document.createElement('canvas');
  const context = page.getContext('2d');
  if (!context) throw new Error('this browser draws no pictures outside the page');

  const picturesWidth =
    pictures.reduce((sum, picture) => sum + picture.width * scale, 0) +
    MARGIN * (pictures.length - 1);
  const inner = Math.max(MIN_WIDTH, picturesWidth);
  const height = Math.max(...pictures.map((picture) => picture.height * scale));
  const measure = (font: string) => (text: string) => {
    context.font = font;
    return context.measureText(text).width;
  };
  const plainFont = `${TEXT_SIZE}px ${family}`;
  const boldFont = `600 ${TEXT_SIZE}px ${family}`;
  const titleLines = title ? wrapText(title, inner, measure(boldFont)) : [];
  const captionLines = wrapText(caption, inner, measure(plainFont));

  const titleHeight = titleLines.length ? titleLines.length * LINE_HEIGHT + MARGIN / 2 : 0;
  page.width = Math.ceil(inner + 2 * MARGIN);
  page.height = Math.ceil(
    MARGIN + titleHeight + height + MARGIN / 2 + captionLines.length * LINE_HEIGHT + MARGIN,
  );
  // Setting the size has reset the context, so every attribute is set here and not before.
  context.fillStyle = background;
  context.fillRect(0, 0, page.width, page.height);
  context.imageSmoothingEnabled = false;
  context.textBaseline = 'top';
  context.fillStyle = color;
  context.font = boldFont;
  let y = MARGIN;
  for (const line of titleLines) {
    context.fillText(line, MARGIN, y);
    y += LINE_HEIGHT;
  }
  y = MARGIN + titleHeight;
  let x = MARGIN + (inner - picturesWidth) / 2;
  for (const picture of pictures) {
    context.drawImage(picture, x, y, picture.width * scale, picture.height * scale);
    x += picture.width * scale + MARGIN;
  }
  context.font = plainFont;
  y += height + MARGIN / 2;
  for (const line of captionLines) {
    context.fillText(line, MARGIN, y);
    y += LINE_HEIGHT;
  }

  const blob = await new Promise<Blob | null>((resolve) => page.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error(`the picture of ${page.width} × ${page.height} pixels is too large`);
  return blob;
}

/** Breaks text at spaces into lines no wider than `width`; a longer word gets a line of its own. */
export function wrapText(
  text: string,
  width: number,
  measure: (text: string) => number,
): readonly string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/).filter(Boolean)) {
      const longer = line ? `${line} ${word}` : word;
      if (line && measure(longer) > width) {
        lines.push(line);
        line = word;
      } else {
        line = longer;
      }
    }
    lines.push(line);
  }
  return lines;
}
