import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { NamedMatrix } from '../../web/src/components/matrix-input/matrix-input';
import '../../web/src/components/matrix-input/matrix-input';
import { float32, npyFile, raw } from '../web/npy-file';
import { zipFile } from '../web/zip-file';
import { all, details, inEveryLook, inside, show, textOf, violations } from './support';

const given: NamedMatrix = {
  name: 'k.npy',
  matrix: { rows: 2, cols: 2, data: Float32Array.from([1, 2, 3, 4]) },
};
const input = (value?: NamedMatrix) =>
  show('attn-matrix-input', { letter: 'K', meaning: 'keys, m × d_k', ...(value && { value }) });
const file = (name: string, content: BlobPart): File => new File([content], name);
const bytes = (of: Parameters<typeof npyFile>[0]): BlobPart => npyFile(of) as BlobPart;
const choose = (of: Element, one: File): void => {
  const files = new DataTransfer();
  files.items.add(one);
  const field = inside<HTMLInputElement>(of, 'input[type=file]');
  field.files = files.files;
  field.dispatchEvent(new Event('change'));
};
const alerts = (of: Element): string[] => all(of, '[role=alert]').map(textOf);

describe('the input of a matrix', () => {
  it('reports what is wrong with a file, what was seen and what is wanted, and keeps the matrix', async () => {
    const shown = await input(given);
    const changes = details<NamedMatrix | undefined>(shown, 'attn-matrix');
    const refusals = details<boolean>(shown, 'attn-matrix-refused');
    const wrong: readonly (readonly [string, BlobPart, string])[] = [
      ['ragged.csv', '1,2,3\n4,5\n', 'line 2: 2 entries, while the lines before have 3'],
      ['nan.csv', '1,2\n3,NaN\n', 'line 2, column 2: NaN'],
      ['words.csv', '1,2\n3,four\n', "line 2, column 2: 'four', which is not a number"],
      ['empty.csv', '', 'an empty file'],
      [
        'complex.npy',
        bytes({ descr: '<c8', data: new Uint8Array(48) }),
        'a complex64 array of shape (2, 3)',
      ],
      ['none.npy', bytes({ shape: '()' }), 'a float32 array of shape (): 0 dimensions'],
      [
        'float8.npy',
        bytes({ descr: '|V1', data: new Uint8Array(6) }),
        'a float8 array of shape (2, 3); wanted numbers of a type that NumPy has: a.astype(np.float32) before np.save',
      ],
      ['short.npy', bytes({ data: new Uint8Array(20) }), 'cut off: 20 bytes of data'],
      ['nan.npy', bytes({ data: float32([1, 2, Number.NaN, 4, 5, 6]) }), 'NaN in row 0, column 2'],
      ['book.xlsx', 'PK\x03\x04 and so on', 'a zip archive'],
    ];
    for (const [name, content, seen] of wrong) {
      choose(shown, file(name, content));
      await expect
        .poll(() => alerts(shown), { message: name })
        .toEqual([expect.stringMatching(/: saw .+; wanted .+\.$/)]);
      await expect.poll(() => alerts(shown)[0]).toContain(`${name}: saw`);
      expect(alerts(shown)[0]).toContain(seen);
    }
    expect(changes).toEqual([]);
    expect(shown.value).toBe(given);
    // Whoever shows the matrix is told that it is not the one that was given last.
    expect(refusals.at(-1)).toBe(true);
  });

  it('accepts a file, reports how it was converted, and can remove it again', async () => {
    const shown = await input();
    const changes = details<NamedMatrix | undefined>(shown, 'attn-matrix');
    const integers = raw([1, 2, 3, 4, 5, 6], 4, (view, at, x) => view.setInt32(at, x, true));
    choose(shown, file('i.npy', bytes({ descr: '<i4', data: integers })));
    await expect
      .poll(() => all(shown, '.note').map(textOf))
      .toEqual(['The int32 entries were rounded to float32.']);
    expect(changes[0]).toMatchObject({ name: 'i.npy', matrix: { rows: 2, cols: 3 } });
    expect([...(changes[0]?.matrix.data ?? [])]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(textOf(inside(shown, 'small'))).toBe('2 × 3');
    await userEvent.click(page.getByRole('button', { name: /^Remove K/ }));
    expect(changes).toHaveLength(2);
    expect(changes[1] ?? 'none').toBe('none');
  });

  it('accepts numbers that are pasted', async () => {
    const shown = await input();
    const changes = details<NamedMatrix | undefined>(shown, 'attn-matrix');
    await userEvent.click(page.getByRole('button', { name: /^Paste/ }));
    await userEvent.fill(page.getByRole('textbox'), '1 2\n3 4');
    await userEvent.keyboard('{Tab}');
    await expect.poll(() => changes[0]?.matrix.rows).toBe(2);
    expect([...(changes[0]?.matrix.data ?? [])]).toEqual([1, 2, 3, 4]);
  });

  it('shows how a table was read, and reads it in the other way at one click', async () => {
    const shown = await input();
    const changes = details<NamedMatrix | undefined>(shown, 'attn-matrix');
    const notes = () => all(shown, '.note').map((note) => textOf(note).replace(/\s+/g, ' '));
    choose(shown, file('a.csv', '0,1\n0.5,0.25\n0.125,2\n'));
    await expect.poll(notes).toEqual(['Line 1 was read as column names. Read as numbers']);
    expect(changes.at(-1)).toMatchObject({ matrix: { rows: 2, cols: 2 }, colLabels: ['0', '1'] });
    await userEvent.click(page.getByRole('button', { name: 'Read as numbers' }));
    await expect.poll(notes).toEqual(['Line 1 was read as numbers. Read as column names']);
    expect(changes.at(-1)).toMatchObject({ name: 'a.csv', matrix: { rows: 3, cols: 2 } });
    expect([...(changes.at(-1)?.matrix.data ?? [])]).toEqual([0, 1, 0.5, 0.25, 0.125, 2]);
    expect(changes.at(-1)?.colLabels ?? 'none').toBe('none');
    // The same file in another way: the address tells them apart by the reading.
    expect(changes.at(-1)?.id).toBe(changes[0]?.id);
    expect(changes.map((one) => one?.reading)).toEqual([undefined, 'h0n0']);
    await inEveryLook(async (look) => expect(await violations(shown), look).toEqual([]));
    await userEvent.click(page.getByRole('button', { name: 'Read as column names' }));
    await expect.poll(() => changes.at(-1)?.matrix.rows).toBe(2);
  });

  it('lets array, layer and head of an archive be chosen, and says what it left out', async () => {
    const shown = await input();
    const changes = details<NamedMatrix | undefined>(shown, 'attn-matrix');
    const counting = (length: number) => float32(Array.from({ length }, (_, i) => i));
    const archive = zipFile([
      { name: 'Q.npy', data: npyFile({ data: counting(6) }) },
      { name: 'all/K.npy', data: npyFile({ shape: '(2, 1, 3, 2, 2)', data: counting(24) }) },
      { name: 'README.txt', data: new Uint8Array(1) },
    ]);
    choose(shown, file('qk.npz', archive as BlobPart));
    // It is the place of K.
    await expect.poll(() => changes.at(-1)?.reading).toBe('all%2FK@0.0');
    await expect
      .poll(() => all(shown, '.note').map(textOf))
      .toEqual([
        "The array 'all/K' was read.",
        'Axes of length 1 were left out.',
        'No arrays, and left out: README.txt.',
      ]);
    const chosen = () =>
      all(shown, 'select').map((list) => (list as HTMLSelectElement).selectedOptions[0]?.label);
    expect(chosen()).toEqual(['all/K', '0', '0']);
    await userEvent.selectOptions(page.getByLabelText('head, 0 to 2'), '2');
    await expect.poll(() => changes.at(-1)?.reading).toBe('all%2FK@0.2');
    await userEvent.selectOptions(page.getByLabelText('layer, 0 to 1'), '1');
    await expect.poll(() => changes.at(-1)?.reading).toBe('all%2FK@1.2');
    expect([...(changes.at(-1)?.matrix.data ?? [])]).toEqual([20, 21, 22, 23]);
    await expect.poll(chosen).toEqual(['all/K', '1', '2']);
    await inEveryLook(async (look) => expect(await violations(shown), look).toEqual([]));
    await userEvent.selectOptions(page.getByLabelText('Array'), 'Q');
    await expect.poll(() => changes.at(-1)?.reading).toBe('Q@');
    await expect.poll(chosen).toEqual(['Q']);
  });

  it('passes axe when it is empty, filled, and with an error', async () => {
    const shown = await input();
    await inEveryLook(async (look) => expect(await violations(shown), look).toEqual([]));
    Object.assign(shown, { value: given, error: 'K has another width than Q.' });
    await shown.updateComplete;
    expect(alerts(shown)).toEqual(['K has another width than Q.']);
    await inEveryLook(async (look) => expect(await violations(shown), look).toEqual([]));
  });
});
