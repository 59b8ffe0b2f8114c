/**
 * Attention weights as models export them: `.npy` and `.npz` files, chosen together, and their tokens, in an array of
 * texts or in a JSON list beside them. What the arrays mean, and whether they are weights, the core says
 * (`exportedAttentionMake`, which takes what is read here).
 *
 * An `.npz` holds no ragged list, as `generate()` returns one: each step and layer is a member of its own,
 *
 *     np.savez("steps.npz", **{f"step_{s:04d}/layer_{l:02d}": a.half().cpu().numpy()
 *              for s, step in enumerate(out.attentions) for l, a in enumerate(step)})
 *
 * or all stand in one array in which NaN fills what is not there.
 */
import { ImportError } from './error.js';
import { allNumbers, isNpy, type NpyArray, npyHeader, textsOf } from './npy.js';
import { readArchive } from './npz.js';
import { say } from './phrases.js';
import { runSliced } from './run-in-slices.js';

export interface AttentionArray {
  /** Of the member of an archive, or of the file without its ending. */
  readonly name: string;
  readonly shape: readonly number[];
  readonly numbers: { readonly rows: number; readonly cols: number; readonly data: Float32Array };
}

/** What `exportedAttentionMake` takes. */
export interface AttentionFiles {
  readonly arrays: readonly AttentionArray[];
  readonly tokens: readonly string[];
  /** Of the queries, where they have texts of their own. */
  readonly queryTokens: readonly string[];
}

interface File {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Reads the files of one export, in any order. Rejects with `ImportError`. */
export async function readAttentionFiles(
  files: readonly File[],
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<AttentionFiles> {
  const arrays: AttentionArray[] = [];
  const texts: { readonly name: string; readonly texts: readonly string[] }[] = [];
  const take = async (name: string, bytes: Uint8Array, array: NpyArray): Promise<void> => {
    if (array.kind === 'text') {
      texts.push({ name, texts: textsOf(bytes, array) });
      return;
    }
    const data = await runSliced(allNumbers(bytes, array, { holes: true }), { signal });
    arrays.push({ name, shape: array.shape, numbers: { rows: 1, cols: data.length, data } });
  };
  for (const { name, bytes } of files) {
    const stem = name.replace(/\.(?:npy|npz|json)$/i, '');
    try {
      if (isNpy(bytes)) {
        await take(stem, bytes, npyHeader(bytes));
      } else if (/\.json$/i.test(name)) {
        texts.push({ name: stem, texts: listOfTexts(bytes) });
      } else {
        for (const array of (await readArchive(bytes)).arrays) {
          await take(array.name, await array.member.all(), array);
        }
      }
    } catch (error) {
      if (!(error instanceof ImportError) || files.length === 1) throw error;
      throw new ImportError(say('in_member', { name, what: error.seen }), error.wanted);
    }
  }
  if (arrays.length === 0) throw new ImportError(say('no_attention'), say('attention_files'));
  const ofQueries = texts.filter(({ name }) => /quer/i.test(name));
  const ofKeys = texts.filter(({ name }) => !/quer/i.test(name));
  for (const lists of [ofKeys, ofQueries]) {
    if (lists.length < 2) continue;
    const names = lists.map(({ name }) => name).join(', ');
    throw new ImportError(say('lists_of_tokens', { names }), say('list_of_tokens'));
  }
  return {
    arrays,
    tokens: ofKeys[0]?.texts ?? [],
    queryTokens: ofQueries[0]?.texts ?? [],
  };
}

function listOfTexts(bytes: Uint8Array): readonly string[] {
  let read: unknown;
  try {
    read = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    read = undefined;
  }
  if (Array.isArray(read) && read.every((one) => typeof one === 'string')) return read;
  throw new ImportError(say('no_list_of_texts'), say('list_of_tokens'));
}
