/** Makes the files and links of this page. The page loads this with the first file or link. */
import { download } from '../../src/export/download.ts';
import { svgToPng } from '../../src/export/svg.ts';
import { speed as words } from '../../src/strings/speed.ts';

/** Each returns what to tell the visitor. */
export function saveText(name: string, content: string, type: string): string {
  download(name, new Blob([content], { type }));
  return words.files.saved(name);
}

export async function savePng(name: string, svg: string): Promise<string> {
  try {
    download(name, await svgToPng(svg));
    return words.files.saved(name);
  } catch {
    return words.files.notSaved;
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
