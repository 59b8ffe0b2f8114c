/** Reads files beside the page: a matrix of 2048² is 16 MiB, and reading it takes longer than a frame. */
import { ImportError } from './error.js';
import { readMatrixFile } from './matrix-file.js';
import type { Asked, Told } from './read-file.js';

async function answer({ question, file, name, reading, letter }: Asked): Promise<void> {
  const tell = (told: Told, transfer: Transferable[] = []): void =>
    (postMessage as (message: Told, transfer: Transferable[]) => void)(told, transfer);
  try {
    const read = await readMatrixFile(file, name, { reading, letter });
    tell({ question, read }, [read.data.buffer as ArrayBuffer]);
  } catch (error) {
    if (error instanceof ImportError) {
      const { seen, wanted } = error;
      tell({ question, refused: { seen, wanted } });
    } else tell({ question, failed: String(error) });
  }
}

addEventListener('message', ({ data }: MessageEvent<Asked>) => void answer(data));
