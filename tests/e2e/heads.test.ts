/** The heads lab: the opening's heads, with and without a model, a prediction and a try. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '#client';
import log from '../../web/models/reader.json';
import { createFullTestClient } from '../wasm/in_process';
import { answer, figureAt } from './through';
import { browsing } from './visit';

const visit = browsing();
const lab = 'labs/heads/index.html';
let core: Client;

beforeAll(() => {
  core = createFullTestClient();
});
afterAll(() => core.dispose());

const opening = (page: Page): Locator => page.locator('attn-heads-opening');
const line = (of: Locator): Locator => of.locator('.result-line').first();
/** Until the model has been fetched and made. */
const PATIENCE = { timeout: 30_000 };

describe('the opening of the heads lab', () => {
  it('shows random heads at once, says so, and then the trained ones with the names of the log', async () => {
    const { page } = await visit(lab);
    await page.route('**/reader*.safetensors', async (route) => {
      await new Promise((done) => setTimeout(done, 1500));
      await route.continue();
    });
    await page.reload();
    await expect
      .poll(() => opening(page).locator('.hd-is').first().textContent())
      .toContain('16 heads of random weights');
    expect(await opening(page).locator('.hd-head canvas').count()).toBe(16);
    await expect
      .poll(() => opening(page).locator('.hd-is').first().textContent(), PATIENCE)
      .toContain('The trained reader');
    const named = await opening(page).locator('.hd-head.nameless').count();
    expect(named).toBe(log.heads.names.filter(({ name }) => name === 'none').length);
    expect(await line(opening(page)).textContent()).toContain('Layer 1, head 4');
  });

  it('enlarges the head that is chosen and keeps it in the link', async () => {
    const { page } = await visit(lab);
    await expect
      .poll(() => opening(page).locator('.hd-is').first().textContent(), PATIENCE)
      .toContain('The trained reader');
    await opening(page).getByRole('button', { name: 'layer 2, head 2' }).click();
    await expect.poll(() => line(opening(page)).textContent()).toContain('Layer 2, head 2');
    await expect.poll(() => new URL(page.url()).searchParams.get('head')).toBe('2.2');
  });

  it('gives no name to a head of a model that has learned nothing', async () => {
    const { page } = await visit(`${lab}?model=untrained`);
    await expect
      .poll(() => line(opening(page)).textContent(), PATIENCE)
      .toContain('so no head has a name');
  });
});

describe('the steps of the heads lab', () => {
  it('counts the parameters and the work of a layer, and changes neither with the heads', async () => {
    const { page } = await visit(lab);
    const shapes = await figureAt(page, 'shapes');
    const made = await core.layerShapes({ n: 10, dModel: 512, heads: 8 });
    const said = await line(shapes).textContent();
    expect(said).toContain(made.parameters.toLocaleString('en'));
    expect(said).toContain(made.multiplyAdds.toLocaleString('en'));
    await page.getByRole('button', { name: 'Thirty-two heads' }).click();
    await expect
      .poll(() => line(shapes).textContent())
      .toContain(`Parameters: ${made.parameters.toLocaleString('en')}, as before`);
  });

  it('offers a knob that would answer a question once it is answered', async () => {
    const { page } = await visit(lab);
    const growth = await figureAt(page, 'growth');
    const knob = (name: string): Locator => growth.locator(`[data-knob="${name}"]`);
    expect(await knob('seed').count()).toBe(1);
    expect(await knob('layers').count()).toBe(0);
    const kinds = (): Promise<readonly string[]> => knob('task').locator('option').allInnerTexts();
    expect(await kinds()).not.toContain('one period');
    await answer(page.locator('attn-prediction', { hasText: 'but only one layer' }));
    await expect.poll(() => knob('layers').count()).toBe(1);
    expect(await knob('cut').count()).toBe(0);
    await answer(page.locator('attn-prediction', { hasText: 'the same period' }));
    await expect.poll(kinds).toContain('one period');
  });

  it('says the rank of heads side by side once it was guessed', async () => {
    const { page } = await visit(lab);
    await figureAt(page, 'shapes');
    const question = page.locator('attn-prediction', { hasText: 'What rank has the result' });
    await answer(question);
    const { allHeads } = await core.rankCheck({
      ...{ n: 24, dModel: 24, inputRank: 3, heads: 4, seed: 0 },
    });
    expect(await question.locator('.truth').textContent()).toContain(String(allHeads));
  });
});
