/** Files and links of this page; loaded with the first of them. */
import { download } from '../../src/export/download.ts';
import { speed as words } from '../../src/strings/en-speed.ts';

/** Each returns what to tell the visitor. */
export function saveText(name: string, content: string, type: string): string {
  download(name, new Blob([content], { type }));
  return words.files.saved(name);
}

/** An SVG text as pixels, twice as many as its size says. */
export async function savePng(name: string, svg: string): Promise<string> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = 2 * image.naturalWidth;
    canvas.height = 2 * image.naturalHeight;
    const context = canvas.getContext('2d');
    context?.scale(2, 2);
    context?.drawImage(image, 0, 0);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (!context || !blob) return words.files.notSaved;
    download(name, blob);
    return words.files.saved(name);
  } catch {
    return words.files.notSaved;
  } finally {
    URL.revokeObjectURL(address);
  }
}

export async function copyLink(): Promise<{ status: string; refused?: string }> {
  try {
    await navigator.clipboard.writeText(location.href);
    return { status: words.files.linkCopied };
  } catch {
    return { status: words.files.linkShow, refused: location.href };
  }
}
