/** Fetches what a package needs from the site, and zips it, beside the page. Stopping it is ending it. */
import {
  filesOfLab,
  labPage,
  makePackage,
  type PackageOptions,
  titleIn,
} from '../../src/embed/package/package.ts';

export interface AskedPackage {
  /** The root of the site, with a slash at its end. */
  readonly site: string;
  /** Where the script of the package's page lies. */
  readonly shell: string;
  readonly options: Omit<PackageOptions, 'title' | 'shell'>;
}

export type ToldPackage =
  | { readonly files: number; readonly bytes: number }
  | { readonly zip: Uint8Array<ArrayBuffer> }
  | { readonly failed: string };

const tell = (told: ToldPackage): void => postMessage(told);

async function fetched(address: URL | string): Promise<Uint8Array> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${new URL(answer.url).pathname}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

async function make({ site, shell, options }: AskedPackage): Promise<Uint8Array> {
  const counted = { files: 0, bytes: 0 };
  const read = async (path: string): Promise<Uint8Array> => {
    const bytes = await fetched(new URL(path, site));
    counted.files += 1;
    counted.bytes += bytes.length;
    tell({ ...counted });
    return bytes;
  };
  const title = titleIn(text(await read(labPage(options)))) ?? options.lab;
  const script = text(await fetched(shell));
  const paths = (): Promise<string[]> =>
    fetched(new URL('files.json', site)).then((bytes) => JSON.parse(text(bytes)) as string[]);
  const files = options.remote === undefined ? await filesOfLab(options, await paths(), read) : [];
  return makePackage(files, { ...options, title, shell: script });
}

addEventListener('message', async ({ data }: MessageEvent<AskedPackage>) => {
  try {
    tell({ zip: new Uint8Array(await make(data)) });
  } catch (error) {
    tell({ failed: error instanceof Error ? error.message : String(error) });
  }
});
