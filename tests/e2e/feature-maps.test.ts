import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client, FeatureMapInfo } from '#client';
import type { Build } from '../../wasm/client/protocol';
import { parseMatrixFile } from '../../web/src/import/matrix-file';
import { formatNumber } from '../../web/src/plot/format';
import { createTestClient, testBuilds } from '../wasm/in_process';
import { float32, npyFile } from '../web/npy-file';
import {
  alerts,
  caption,
  colours,
  compareInNode,
  figure,
  metrics,
  metricsOf,
  PICTURES,
  picture,
  shows,
  surface,
} from './lab';
import { answer, arrive, isKept, moveMouse, paste } from './through';
import { browsing, lab } from './visit';

const visit = browsing();
let core: Client;
let maps: readonly FeatureMapInfo[];

beforeAll(async () => {
  core = createTestClient();
  maps = await core.featureMaps();
});
afterAll(() => core.dispose());

type Drawn = HTMLElement & { requestUpdate(): void; updateComplete: Promise<boolean> };

const gaussian = (n: number, dK = 16, dV = 16, seed = 1) => core.gaussianQkv({ n, dK, dV, seed });

const contentOf = async (download: Download): Promise<Buffer> => readFile(await download.path());

describe('on a phone', () => {
  it('the first screen has all three pictures and both numbers', async () => {
    const { page } = await visit(lab, { viewport: { width: 390, height: 844 } });
    await shows(page, 'A sentence of 11 tokens');
    const seen = [
      ...PICTURES.map((name) => [name, picture(page, name)] as const),
      ['numbers', figure(page).locator('.key-numbers')] as const,
    ];
    for (const [of, place] of seen) {
      const box = await place.boundingBox();
      expect(box, of).not.toBeNull();
      const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
      expect(Math.min(x, width, height), of).toBeGreaterThan(10);
      expect(x + width, of).toBeLessThanOrEqual(390);
      expect(y + height, of).toBeLessThanOrEqual(844);
    }
  });
});

describe('arcs between words', () => {
  it('take the place of all three pictures at once, stay in the link, and are saved as SVG', async () => {
    const { page } = await visit(`${lab}?text=one two three&seed=3`);
    await shows(page, 'A sentence of 3 tokens');
    const arcs = page.locator('#figure attn-arcs');
    await page.getByRole('button', { name: 'View as arcs between words: Softmax' }).click();
    await expect.poll(() => arcs.count()).toBe(3);
    await expect.poll(() => new URL(page.url()).searchParams.get('arcs')).toBe('1');
    await page.reload();
    await expect.poll(() => arcs.count()).toBe(3);
    await arcs.first().getByRole('option', { name: 'two', exact: true }).click();
    const text = 'one two three';
    const inputs = await core.textQkv({ text, dK: 16, dV: 16, seed: 3, maxTokens: 1024 });
    const { softmax } = await compareInNode(core, inputs);
    const row = [...softmax.data.subarray(3, 6)].map((weight) => `${Math.round(100 * weight)} %`);
    const said = (): Promise<string[]> =>
      arcs
        .first()
        .locator('.read')
        .evaluate((one) => one.textContent?.match(/\d+\s%/g) ?? []);
    await expect
      .poll(async () => (await said()).map((share) => share.replace(/\s/, ' ')).sort())
      .toEqual(row.sort());
    // A word that is held in one picture is held in all of them, and its largest cell is explained.
    await expect.poll(() => page.locator('#figure attn-arcs .word.current').count()).toBe(3);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the picture as SVG: Softmax' }).click(),
    ]);
    const svg = (await contentOf(download)).toString();
    expect(svg.match(/<path /g)).toHaveLength(9);
    expect(svg).toContain('>three<');
  });
});

describe('the first picture', () => {
  it('is drawn without a click when the lab is opened from the start page', async () => {
    const { page } = await visit('');
    await page.getByRole('link', { name: 'Feature maps' }).click();
    const said = await shows(page, 'A sentence of 11 tokens');
    expect(said).toMatch(/dk = 16, dv = 16, seed 1, feature map .+, D = 16, scale .+, no mask\.$/);
    for (const name of PICTURES) {
      await expect.poll(() => colours(page, name)).toBeGreaterThan(3);
    }
    await expect.poll(() => alerts(figure(page))).toEqual([]);
  });

  it('shows the core’s own numbers', async () => {
    const text = 'the cat sat on the mat and the dog sat too';
    const words = await core.textQkv({ text, dK: 16, dV: 16, seed: 1, maxTokens: 1024 });
    const cases = [
      ['', words, {}, 'sentence'],
      [
        '?input=gaussian&n=48&map=relu&causal=1&seed=7',
        await gaussian(48, 16, 16, 7),
        { map: 'relu', seed: 7, causal: true },
        'n = 48',
      ],
      [
        '?input=gaussian&n=33&dk=5&dv=3&map=identity',
        await gaussian(33, 5, 3),
        { map: 'identity' },
        'n = 33',
      ],
    ] as const;
    for (const [search, inputs, options, words] of cases) {
      const { page } = await visit(lab + search);
      await shows(page, words);
      const wanted = metricsOf(await compareInNode(core, inputs, options));
      await expect.poll(() => metrics(page)).toEqual(wanted);
    }
  });
});

describe('the knobs', () => {
  it('choose every feature map of the core that differs from the others; a link still has all', async () => {
    const { page } = await visit(`${lab}?input=gaussian&n=24&dk=8`);
    await shows(page, 'n = 24');
    const inputs = await gaussian(24, 8);
    const choice = figure(page).getByLabel('Feature map φ');
    const twins = ['taylor_compact', 't2r'];
    const listed = maps.filter(({ id }) => !twins.includes(id));
    expect(listed).toHaveLength(maps.length - twins.length);
    await expect
      .poll(() => choice.locator('option').allTextContents())
      .toEqual(listed.map((map) => map.label));
    for (const { id, label } of maps) {
      if (twins.includes(id)) {
        await page.goto(page.url().replace(/([?&]map=)[^&#]*/, `$1${id}`));
        await expect.poll(() => choice.inputValue()).toBe(id);
      } else {
        await choice.selectOption(id);
      }
      await shows(page, `feature map ${label}`);
      const wanted = metricsOf(await compareInNode(core, inputs, { map: id }));
      await expect.poll(() => metrics(page), { message: id }).toEqual(wanted);
      await expect.poll(() => alerts(figure(page)), { message: id }).toEqual([]);
      // The formula is KaTeX's markup, not the TeX that stands in its place when a formula is missing.
      await expect.poll(() => figure(page).locator('.phi .katex').count(), { message: id }).toBe(1);
    }
  });

  it('reject what is out of range and keep the picture', async () => {
    const { page } = await visit(`${lab}?input=gaussian&n=24`);
    const before = await shows(page, 'n = 24');
    for (const [name, value, message] of [
      ['n tokens', '5000', 'Saw 5000; wanted a whole number from 2 to 1024.'],
      ['d_k width of q and k', '2.5', 'Saw 2.5; wanted a whole number from 1 to 128.'],
      ['Seed', '-3', 'Saw -3; wanted a whole number from 0 to 2147483647.'],
    ] as const) {
      const field = figure(page).getByRole('spinbutton', {
        name: new RegExp(name.replace(/ |_/g, '\\s*')),
      });
      await field.fill(value);
      // A picture that arrives now draws the control again; what is being typed must stay.
      await field.evaluate(async (input) => {
        const { host } = input.getRootNode() as ShadowRoot;
        const component = (host ?? input.closest('attn-feature-maps-lab')) as Drawn;
        component.requestUpdate();
        await component.updateComplete;
      });
      await expect.poll(() => field.inputValue()).toBe(value);
      await field.press('Tab');
      await expect.poll(() => alerts(figure(page)), { message: name }).toContain(message);
    }
    expect(
      await caption(page)
        .textContent()
        .then((s) => s?.trim()),
    ).toBe(before);
  });

  it('are folded away beyond the first ones, also those of the map', async () => {
    const { page } = await visit(`${lab}?map=softmax_kernel`, { folded: true });
    await shows(page, 'tokens');
    const seen = (): Promise<string[]> =>
      figure(page)
        .locator('[data-knob]:visible')
        .evaluateAll((knobs) => knobs.map((knob) => (knob as HTMLElement).dataset.knob ?? ''));
    await expect.poll(seen).toEqual(['map', 'input', 'text']);
    await figure(page).locator('.more-knobs').click();
    await expect
      .poll(seen)
      .toEqual([
        ...['map', 'input', 'text', 'parameters', 'dK', 'dV', 'seed'],
        ...['scale', 'causal', 'sqrt'],
      ]);
  });

  it('are undone by Back', async () => {
    const { page } = await visit(lab);
    await shows(page, 'tokens');
    const choice = figure(page).getByLabel('Feature map φ');
    const label = (id: string): string => `feature map ${maps.find((map) => map.id === id)?.label}`;
    await choice.selectOption('relu');
    await shows(page, label('relu'));
    await choice.selectOption('exp');
    await shows(page, label('exp'));
    await page.goBack();
    await shows(page, label('relu'));
    await expect.poll(() => choice.inputValue()).toBe('relu');
    await page.goBack();
    await shows(page, label('elu_plus_one'));
    await page.goForward();
    await shows(page, label('relu'));
  });
});

describe('the cells', () => {
  it('are reached, read and held with the keyboard alone, and the link follows', async () => {
    const { page } = await visit(`${lab}?input=gaussian&n=20&causal=1`);
    await shows(page, 'n = 20');
    const c = await compareInNode(core, await gaussian(20), { causal: true });
    const focused = (): Promise<string | null> =>
      page.evaluate(() => {
        let active = document.activeElement;
        while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
        return active?.getAttribute('role') ?? null;
      });
    for (let i = 0; i < 80 && (await focused()) !== 'application'; i++) {
      await page.keyboard.press('Tab');
    }
    await expect.poll(() => focused(), { message: 'Tab reaches a picture' }).toBe('application');
    const read = picture(page, 'Softmax attention').locator('.read');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    await expect.poll(() => read.textContent()).toContain('query 2 → key 2');
    await expect
      .poll(() => read.textContent())
      .toContain(formatNumber(c.softmax.data[20 + 1] as number));
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).search).toContain('q=2&k=2');
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).search).not.toContain('q=2');
  });

  it('stay held when clicked, in a link and after a reload', async () => {
    const { page } = await visit(`${lab}?input=gaussian&n=20`);
    await shows(page, 'n = 20');
    const target = surface(page, 'Implicit attention');
    const box = await target.boundingBox();
    if (!box) throw new Error('no picture');
    const at = (row: number, col: number) => ({
      x: ((col + 0.5) / 20) * box.width,
      y: ((row + 0.5) / 20) * box.height,
    });
    const read = picture(page, 'Difference').locator('.read');
    await target.hover({ position: at(2, 3) });
    await expect.poll(() => read.textContent()).toContain('query 3 → key 4');
    await target.click({ position: at(6, 11) });
    await target.hover({ position: at(15, 1) });
    await expect.poll(() => read.textContent()).toContain('query 7 → key 12');
    await page.reload();
    await shows(page, 'n = 20');
    await expect.poll(() => read.textContent()).toContain('query 7 → key 12');
    const inputs = await gaussian(20);
    const cell = await core.explainCell({
      ...inputs,
      featureMap: { id: 'elu_plus_one', seed: 1 },
      mask: { kind: 'full' },
      query: 6,
      key: 11,
    });
    const explained = figure(page).locator('attn-cell-explanation');
    for (const number of [cell.dot, cell.softmaxWeight, cell.implicitWeight]) {
      await expect
        .poll(() => explained.evaluate((element) => element.shadowRoot?.textContent))
        .toContain(formatNumber(number));
    }
  });

  it('can be read as a table', async () => {
    const { page } = await visit(`${lab}?input=gaussian&n=12`);
    await shows(page, 'n = 12');
    await page.getByRole('button', { name: 'View as table: Implicit attention' }).click();
    const { implicit } = await compareInNode(core, await gaussian(12));
    const rows = figure(page).locator('attn-matrix-table tbody tr');
    await expect.poll(() => rows.count()).toBe(12);
    const cells = await rows.nth(4).locator('td').allTextContents();
    expect(cells.slice(0, 12).map((cell) => cell.trim())).toEqual(
      [...implicit.data.subarray(48, 60)].map((value) => formatNumber(value)),
    );
  });
});

describe('the views beside the text', () => {
  const shown = visit.shared(lab);
  const text = 'the cat sat on the mat and the dog sat too';
  const compared = async (map?: string) =>
    compareInNode(core, await core.textQkv({ text, dK: 16, dV: 16, seed: 1, maxTokens: 1024 }), {
      ...(map !== undefined && { map }),
    });
  const viewOf = (page: Page, title: string) =>
    page.locator('#ways attn-view').filter({ has: page.getByText(title, { exact: true }) });

  it('show one row with the core’s weights, and go to another', async () => {
    const { page } = shown;
    await arrive(page);
    await page.locator('#ways > .scene').first().scrollIntoViewIfNeeded();
    const view = viewOf(page, 'One row of weights');
    await view.scrollIntoViewIfNeeded();
    const { softmax, implicit, maxDifferenceRow } = await compared();
    const tokens = text.split(' ');
    const rowOf = ({ data, cols }: typeof softmax, row: number): string[] =>
      tokens.map((token, i) => `${token}: ${formatNumber(data[row * cols + i] as number)}`);
    const bars = (kind: string) => view.locator(`rect.${kind} title`).allTextContents();
    await expect.poll(() => bars('softmax')).toEqual(rowOf(softmax, maxDifferenceRow));
    expect(await bars('implicit')).toEqual(rowOf(implicit, maxDifferenceRow));
    await view.getByRole('button', { name: `query ${maxDifferenceRow + 2}` }).click();
    await expect.poll(() => bars('softmax')).toEqual(rowOf(softmax, maxDifferenceRow + 1));
  });

  it('say what a try has changed, in both numbers, with what was before beside it', async () => {
    const { page } = await visit(lab);
    await arrive(page);
    await page.locator('#ways > .scene').nth(2).scrollIntoViewIfNeeded();
    const view = viewOf(page, 'Both pictures, and their difference');
    await view.scrollIntoViewIfNeeded();
    const [before, now] = [await compared(), await compared('identity')].map((c) => [
      formatNumber(c.correlation),
      formatNumber(c.outputError),
    ]);
    const numbers = async () =>
      (await view.locator('.key-numbers dd').allTextContents()).map((one) =>
        one.replace(/\s+/g, ' ').trim(),
      );
    await expect.poll(numbers).toEqual(before);
    const button = page.getByRole('button', { name: 'Let the denominator change sign' });
    await button.click();
    await expect
      .poll(() => view.locator('.result-line').textContent())
      .toContain(`Correlation: ${before?.[0]} → ${now?.[0]}`);
    expect(await view.locator('.result-line').textContent()).toMatch(
      /\d+ of 121 weights are negative/,
    );
    await expect.poll(numbers).toEqual(now?.map((number, i) => `${before?.[i]} ${number}`));
    await button.click();
    await expect.poll(numbers).toEqual(before);
  });

  it('keep the answer of an open question out of sight', async () => {
    const { page } = shown;
    await arrive(page);
    await page.locator('#stars > .scene').first().scrollIntoViewIfNeeded();
    const view = page.locator('#stars attn-view').first();
    await view.scrollIntoViewIfNeeded();
    await expect.poll(() => view.locator('.open-question').count()).toBe(1);
    expect(await view.locator('attn-heatmap, .key-numbers, .result-line').count()).toBe(0);
    await answer(page.locator('#stars attn-prediction'));
    await expect.poll(() => view.locator('.both-answers').textContent()).toContain('0.02');
    await expect.poll(() => view.locator('attn-heatmap').count()).toBe(1);
  });
});

describe('what can be saved', () => {
  it('is the numbers as CSV, exact to the bit', async () => {
    const { page } = await visit(lab);
    await shows(page, 'tokens');
    const text = 'the cat sat on the mat and the dog sat too';
    const inputs = await core.textQkv({ text, dK: 16, dV: 16, seed: 1, maxTokens: 1024 });
    const comparison = await compareInNode(core, inputs);
    for (const [name, matrix] of [
      ['Softmax attention', comparison.softmax],
      ['Difference', comparison.difference],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Save the numbers as CSV: ${name}` }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^attention-labs-elu_plus_one-\w+-seed-1\.csv$/);
      const bytes = new Uint8Array(await contentOf(download));
      const back = await parseMatrixFile({ name: download.suggestedFilename(), bytes });
      expect(back.data).toEqual(matrix.data);
      expect(back.rowLabels).toEqual(inputs.tokens);
    }
  });

  it('is the picture as PNG', async () => {
    const { page } = await visit(`${lab}?input=gaussian&n=16`);
    await shows(page, 'n = 16');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the picture as PNG: Softmax attention' }).click(),
    ]);
    const bytes = await contentOf(download);
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect(bytes.readUInt32BE(16)).toBeGreaterThan(300);
    expect(bytes.readUInt32BE(20)).toBeGreaterThan(300);
    expect(bytes.length).toBeGreaterThan(5000);
  });

  it('is the picture as SVG with its axes, and the numbers as JSON with all settings', async () => {
    const { page } = await visit(`${lab}?input=gaussian&n=16&dk=4&dv=4`);
    await shows(page, 'n = 16');
    const save = async (what: string): Promise<string> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `${what}: Difference` }).click(),
      ]);
      return (await contentOf(download)).toString();
    };
    const svg = await save('Save the picture as SVG');
    expect(svg).toMatch(/<image [^>]*href="data:image\/png;base64,/);
    for (const tick of ['>1</text>', '>16</text>']) expect(svg).toContain(tick);
    expect(svg).toContain('n = 16');
    // Any program that reads SVG reads the file.
    const wide = await page.evaluate(async (text) => {
      const image = new Image();
      image.src = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
      await image.decode();
      return image.naturalWidth;
    }, svg);
    expect(wide).toBeGreaterThan(400);
    const { difference } = await compareInNode(
      core,
      await core.gaussianQkv({ n: 16, dK: 4, dV: 4, seed: 1 }),
    );
    const json = JSON.parse(await save('Save the numbers as JSON'));
    expect(json).toMatchObject({ lab: 'feature-maps', settings: { n: 16, dK: 4, seed: 1 } });
    expect(json.matrices.difference.data).toEqual([...difference.data]);
  });

  it('is a link that opens the same view', async () => {
    const permissions = { permissions: ['clipboard-read', 'clipboard-write'] };
    const { page, context } = await visit(lab, permissions);
    await shows(page, 'tokens');
    await figure(page).getByLabel('Feature map φ').selectOption('relu');
    await figure(page)
      .getByRole('switch', { name: /Causal/ })
      .check();
    const text = 'a rose is a rose, is “a rose” & 100% a røse?';
    await figure(page).locator('textarea').fill(text);
    const { tokens } = await core.textQkv({ text, dK: 16, dV: 16, seed: 1, maxTokens: 1024 });
    const said = await shows(
      page,
      'causal mask',
      `of ${tokens.length} tokens`,
      maps.find((map) => map.id === 'relu')?.label ?? '',
    );
    const numbers = await metrics(page);
    await page.getByRole('button', { name: 'Copy a link to this view: Difference' }).click();
    await expect.poll(() => figure(page).locator('.status').textContent()).toContain('Link copied');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await context.newPage();
    await other.goto(link);
    expect(await shows(other, 'causal mask', 'tokens')).toBe(said);
    await expect.poll(() => metrics(other)).toEqual(numbers);
    await expect.poll(() => figure(other).locator('textarea').inputValue()).toBe(text);
  });

  it('is a link with your own matrices in it', async () => {
    const permissions = { permissions: ['clipboard-read', 'clipboard-write'] };
    const { page } = await visit(`${lab}?input=own`, permissions);
    const inputs = await gaussian(6, 4, 3, 9);
    await give(page, inputs);
    const said = await shows(page, 'Own matrices Q 6 × 4, K 6 × 4, V 6 × 3');
    const wanted = metricsOf(await compareInNode(core, inputs));
    await expect.poll(() => metrics(page)).toEqual(wanted);
    await page.getByRole('button', { name: 'Copy a link to this view: Difference' }).click();
    await expect.poll(() => figure(page).locator('.status').textContent()).toContain('Link copied');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const path = link.slice(link.indexOf(lab));
    // Another visitor opens the link, in a profile in which nothing is saved.
    const { page: other } = await visit(path);
    expect(await shows(other, 'Own matrices')).toBe(said);
    await expect.poll(() => metrics(other)).toEqual(wanted);
    const damaged = await visit(`${path.slice(0, -20)}AAAA${path.slice(-16)}`);
    await expect
      .poll(async () => (await alerts(figure(damaged.page))).join(' '))
      .toContain('The link’s matrices cannot be used');
  });
});

/** Puts Q, K and V into the three inputs as .npy files. */
async function give(
  page: Page,
  inputs: {
    readonly [name in 'q' | 'k' | 'v']: { rows: number; cols: number; data: Float32Array };
  },
): Promise<void> {
  for (const [i, letter] of (['q', 'k', 'v'] as const).entries()) {
    const { rows, cols, data } = inputs[letter];
    const file = npyFile({ shape: `(${rows}, ${cols})`, data: float32([...data]) });
    await figure(page)
      .locator('attn-matrix-input input[type=file]')
      .nth(i)
      .setInputFiles({ name: `${letter}.npy`, mimeType: '', buffer: Buffer.from(file) });
  }
}

describe('wrong input', () => {
  it('in a file is named beside its control, and the last picture stays', async () => {
    const { page } = await visit(`${lab}?input=own`);
    await give(page, await gaussian(6, 4, 3, 9));
    const before = await shows(page, 'Own matrices Q 6 × 4');
    const numbers = await metrics(page);
    // The tests of the component try the other faults of files.
    const control = figure(page).locator('attn-matrix-input').nth(1);
    const ragged = { name: 'ragged.csv', mimeType: '', buffer: Buffer.from('1,2,3\n4,5\n') };
    await control.locator('input[type=file]').setInputFiles(ragged);
    await expect
      .poll(() => alerts(control))
      .toEqual([expect.stringMatching(/^ragged\.csv: saw line 2: 2 entries.+; wanted .+\.$/)]);
    expect(await shows(page, 'Own matrices')).toBe(before);
    const mark = figure(page).locator('.still-before');
    await expect.poll(() => mark.textContent()).toContain('the matrices from before');
    await expect.poll(() => metrics(page)).toEqual(numbers);
    for (const name of PICTURES) await expect.poll(() => colours(page, name)).toBeGreaterThan(3);

    // Each of the two files is valid, but their shapes do not fit each other.
    const wide = Buffer.from('1,2,3,4,5\n1,2,3,4,5\n');
    await control
      .locator('input[type=file]')
      .setInputFiles({ name: 'wide.csv', mimeType: '', buffer: wide });
    await expect
      .poll(async () => (await alerts(figure(page))).join(' '))
      .toMatch(/\bk\b.*2\s*[×x]\s*5|5/i);
    expect(await shows(page, 'Own matrices')).toBe(before);
    await expect.poll(() => mark.count()).toBe(1);
    // One that fits takes the mark away.
    await control.locator('input[type=file]').setInputFiles({
      name: 'fits.csv',
      mimeType: '',
      buffer: Buffer.from('1,2,3,4\n'.repeat(6)),
    });
    await expect.poll(() => mark.count()).toBe(0);
  });

  it('in the sentence is named, and the last picture stays', async () => {
    const { page } = await visit(lab);
    const before = await shows(page, 'A sentence of 11 tokens');
    const field = figure(page).locator('textarea');
    await field.fill('');
    await expect.poll(() => alerts(figure(page))).toHaveLength(1);
    expect(await shows(page, 'tokens')).toBe(before);
    await field.fill('a '.repeat(1500));
    await expect
      .poll(async () => (await alerts(figure(page))).join())
      .toMatch(/1500.*1024|1024.*1500/);
    expect(await shows(page, 'tokens')).toBe(before);
    // A visitor pastes a million tokens. A browser would break them into lines for half a minute, so they stay outside.
    const held = await field.inputValue();
    await field.press('ControlOrMeta+End');
    await paste(field, 'a '.repeat(1_000_000));
    await expect
      .poll(async () => (await alerts(figure(page))).join())
      .toContain('2,003,000 characters');
    expect(await field.inputValue()).toBe(held);
    expect(await shows(page, 'tokens')).toBe(before);
    await field.fill('back to two');
    await shows(page, 'A sentence of 3 tokens');
    await expect.poll(() => alerts(figure(page))).toEqual([]);
  });

  it('in a link is named, and the default is shown', async () => {
    const { page } = await visit(`${lab}?n=99999&map=nonsense&seed=x`);
    await shows(page, 'A sentence of 11 tokens');
    const said = (await alerts(figure(page))).join(' ');
    expect(said).toContain("n = '99999'; wanted a whole number from 2 to 1024");
    expect(said).toContain("seed = 'x'");
    expect(said).toContain('nonsense');
  });
});

describe('own matrices', () => {
  it('whose places did not arrive are said beside the choice, and come with the network', async () => {
    const { page, context } = await visit(lab, { expectedErrors: /./ });
    const before = await shows(page, 'A sentence of 11 tokens');
    await context.setOffline(true);
    await figure(page).getByRole('radio', { name: 'Your own' }).check();
    const choice = figure(page).locator('[data-knob=input]');
    await expect.poll(() => alerts(choice)).toEqual([expect.stringContaining('did not arrive')]);
    expect(await shows(page, 'tokens')).toBe(before);
    await context.setOffline(false);
    await expect.poll(() => alerts(figure(page))).toEqual([]);
    await give(page, await gaussian(6, 4, 3, 9));
    await shows(page, 'Own matrices Q 6 × 4');
  });

  it('are still wanted after another choice without the network', async () => {
    const { page, context } = await visit(lab, { expectedErrors: /./ });
    await shows(page, 'A sentence of 11 tokens');
    await context.setOffline(true);
    await figure(page).getByRole('radio', { name: 'Your own' }).check();
    await expect.poll(() => alerts(figure(page))).toHaveLength(1);
    // The core is here, so that other data is drawn, and nothing is wrong any more.
    await figure(page).getByRole('radio', { name: 'Gaussian' }).check();
    await shows(page, 'Gaussian Q, K, V');
    await expect.poll(() => alerts(figure(page))).toEqual([]);
    await context.setOffline(false);
    await figure(page).getByRole('radio', { name: 'Your own' }).check();
    await give(page, await gaussian(6, 4, 3, 9));
    await shows(page, 'Own matrices Q 6 × 4');
  });
});

describe('what was typed and given', () => {
  it('survives a reload', async () => {
    const { page } = await visit(lab);
    await shows(page, 'tokens');
    await figure(page).locator('textarea').fill('four words of mine');
    await shows(page, 'A sentence of 4 tokens');
    await page.reload();
    await shows(page, 'A sentence of 4 tokens');
    await expect
      .poll(() => figure(page).locator('textarea').inputValue())
      .toBe('four words of mine');

    await figure(page).getByRole('radio', { name: 'Your own' }).check();
    const inputs = await gaussian(40, 8, 8, 3);
    await give(page, inputs);
    await shows(page, 'Own matrices Q 40 × 8');
    await isKept(page, 'feature-maps/own');
    await page.reload();
    await shows(page, 'Own matrices Q 40 × 8');
    await expect.poll(() => metrics(page)).toEqual(metricsOf(await compareInNode(core, inputs)));
  });
});

/** The opcode of f32x4.relaxed_madd. */
const relaxedAdd = [0xfd, 0x85, 0x02];

describe('the core', () => {
  const binary = (build: Build): Promise<Buffer> => readFile(`build/wasm/${build}/start.wasm`);

  it.each([
    [testBuilds[0], 'the fastest there is', '', undefined],
    ['simd', 'without relaxed SIMD', '', relaxedAdd],
    ['simd', 'asked for in the address', '?build=simd', undefined],
    ['simd', 'asked for by a link to a build without SIMD', '?build=scalar', undefined],
  ] as const)('is fetched once, as the %s build: %s', async (build, _, search, missing) => {
    const bodies: Promise<Buffer>[] = [];
    const { page } = await visit(lab + search, {
      before: async (context) => {
        context.on('response', (response) => {
          if (response.url().endsWith('.wasm')) bodies.push(response.body());
        });
        if (missing) await stub(context, missing);
      },
    });
    await shows(page, 'A sentence of 11 tokens');
    expect(bodies).toHaveLength(1);
    expect((await bodies[0])?.equals(await binary(build as Build))).toBe(true);
    const inputs = await core.textQkv({
      text: 'the cat sat on the mat and the dog sat too',
      dK: 16,
      dV: 16,
      seed: 1,
      maxTokens: 1024,
    });
    // Three digits are shown, because the builds may differ in the seventh.
    await expect.poll(() => metrics(page)).toEqual(metricsOf(await compareInNode(core, inputs)));
  });

  it.each([
    ['en', 'The core could not start.'],
    ['de', 'Der Rechenkern konnte nicht starten.'],
  ])('that a browser without SIMD cannot run is explained in %s', async (lang, title) => {
    const { page } = await visit(`${lab}?lang=${lang}`, {
      // Every SIMD instruction begins with this byte, also the relaxed ones.
      before: (context) => stub(context, [0xfd]),
    });
    const said = async () => (await alerts(figure(page))).join(' ');
    await expect.poll(said, { timeout: 10_000 }).toContain(title);
    expect(await said()).toMatch(
      lang === 'en' ? /has no WebAssembly SIMD/ : /hat kein WebAssembly-SIMD/,
    );
  });

  it('runs in one worker for all figures, where the module full replaces start', async () => {
    const { page, requests } = await visit(`${lab}?input=gaussian&n=64`);
    await shows(page, 'n = 64');
    const modules = () => requests.flatMap((url) => /(start|full)-[^/]*wasm$/.exec(url)?.[1] ?? []);
    expect(modules()).toEqual(['start']);
    await moveMouse(page);
    const registry = page.locator('attn-map-registry');
    await page.locator('[data-figure=registry]').scrollIntoViewIfNeeded();
    await registry.waitFor();
    await expect.poll(modules).toEqual(['start', 'full']);
    const next = figure(page).getByLabel('Feature map φ');
    await next.selectOption('exp');
    await shows(page, `feature map ${maps.find((map) => map.id === 'exp')?.label}`);
    const wanted = metricsOf(await compareInNode(core, await gaussian(64), { map: 'exp' }));
    await expect.poll(() => metrics(page)).toEqual(wanted);
    expect([page.workers().length, modules()]).toEqual([1, ['start', 'full']]);
  });

  it('is explained when it cannot be loaded', async () => {
    const { page } = await visit(lab, {
      expectedErrors: /./,
      before: (context) => context.route('**/*.wasm', (route) => route.abort()),
    });
    await expect
      .poll(async () => (await alerts(figure(page))).join(' '), { timeout: 10_000 })
      .toContain('The core could not start.');
    await expect.poll(() => page.getByRole('button', { name: 'Reload' }).isVisible()).toBe(true);
  });

  it('is started again after a trap', async () => {
    const { page } = await visit(`${lab}?input=gaussian&n=64`, { expectedErrors: /stumble/ });
    const before = await shows(page, 'n = 64');
    const worker = page.workers()[0];
    if (!worker) throw new Error('no worker');
    await worker.evaluate(() => {
      // The next call ends as a trap inside the module would end it.
      self.addEventListener(
        'message',
        (event) => {
          event.stopImmediatePropagation();
          throw new Error('stumble');
        },
        { capture: true, once: true },
      );
      const { onmessage } = self;
      self.onmessage = null;
      self.addEventListener('message', (event) => onmessage?.call(self as never, event));
    });
    await figure(page).getByLabel('Feature map φ').selectOption('relu');
    await expect
      .poll(async () => (await alerts(figure(page))).join(' '))
      .toContain('The core stumbled and was started again.');
    expect(await shows(page, 'n = 64')).toBe(before);
    await figure(page).getByLabel('Feature map φ').selectOption('exp');
    await shows(page, `feature map ${maps.find((map) => map.id === 'exp')?.label}`);
    await expect.poll(() => alerts(figure(page))).toEqual([]);
    const wanted = metricsOf(await compareInNode(core, await gaussian(64), { map: 'exp' }));
    await expect.poll(() => metrics(page)).toEqual(wanted);
  });
});

/** Imitates a browser without these instructions: every module that contains one is invalid to it. */
function stub(
  context: import('playwright-core').BrowserContext,
  instruction: readonly number[],
): Promise<unknown> {
  return context.addInitScript((missing: readonly number[]) => {
    const { validate } = WebAssembly;
    WebAssembly.validate = (source) => {
      const bytes = new Uint8Array(source as ArrayBuffer);
      const has = bytes.some((_, i) => missing.every((byte, j) => bytes[i + j] === byte));
      return !has && validate.call(WebAssembly, source);
    };
  }, instruction);
}
