/** Tests the race of Lab 1 on a text short enough to be read in a moment. */
import { afterAll, describe, expect, it } from 'vitest';
import type { Client } from '#client';
import { pace, Race, type Runner } from '../../web/labs/complexity/figures/race/race';
import { chaptersOf, ownText } from '../../web/labs/complexity/figures/race/texts';
import { createFullTestClient } from '../wasm/in_process';

let started: Client | undefined;
const core = (): Client => {
  started ??= createFullTestClient();
  return started;
};
afterAll(() => started?.dispose());

const never = new AbortController().signal;
const chapter = 'the whale and the sea and the ship '.repeat(40);
const sections = [chapter, chapter, chapter];
const TOKENS = 3 * 40 * 8;
const how = { sections, d: 64, seed: 1 };
const stateBytes = 4 * 64 * 65;

const byId = (race: Race): Readonly<Record<Runner['id'], Runner>> =>
  Object.fromEntries(race.state.map((runner) => [runner.id, runner])) as never;

describe('a race through a text', () => {
  it('ends when both have read it: one with the state it began with, the other with all it read', async () => {
    const race = await Race.create(core(), { ...how, cacheBytes: 2 ** 23 });
    const seen: number[] = [];
    await race.run(never, () => seen.push(race.fraction));
    expect(race.finished).toBe(true);
    expect(seen.at(-1)).toBe(1);
    expect([...seen].sort((a, b) => a - b)).toEqual(seen);
    const { linear, softmax } = byId(race);
    for (const runner of [linear, softmax]) {
      expect(runner.end).toBe('read');
      expect(runner.now).toMatchObject({ position: TOKENS, tokens: TOKENS, section: 2 });
      expect(runner.words).toBe('and the sea and the ship the whale and the sea and the ship');
      expect(runner.milliseconds).toBeGreaterThan(0);
      expect(runner.secondsLeft).toBeUndefined();
      expect(runner.samples.at(-1)).toEqual({
        ...{ tokens: TOKENS, milliseconds: runner.milliseconds, bytes: runner.now.bytes },
      });
    }
    expect(linear.now.bytes).toBe(stateBytes);
    // The first turns are short, so that the curves begin where the text does.
    const [one, two, three] = linear.samples.map(({ tokens }) => tokens);
    expect(one).toBe(64);
    expect(two).toBeLessThanOrEqual(3 * 64);
    expect(three).toBeLessThanOrEqual(7 * 64);
    expect(softmax.now.bytes).toBe(TOKENS * 128 * 4);
    race.dispose();
  });

  it('leaves softmax attention where its cache is full', async () => {
    const race = await Race.create(core(), { ...how, cacheBytes: 500 * 128 * 4 });
    await race.run(never, () => undefined);
    const { linear, softmax } = byId(race);
    expect(linear.end).toBe('read');
    expect(softmax.end).toBe('full');
    expect(softmax.now.position).toBe(500);
    expect(race.finished).toBe(true);
    race.dispose();
  });

  it('stops between two turns and goes on from there, with its clocks', async () => {
    const race = await Race.create(core(), { ...how, cacheBytes: 2 ** 23 });
    const abort = new AbortController();
    await race.run(abort.signal, () => abort.abort());
    const stopped = byId(race);
    // Linear attention has the first turn.
    expect(stopped.linear.now.position).toBeGreaterThan(0);
    expect(stopped.linear.now.position).toBeLessThan(TOKENS);
    expect(stopped.softmax.now.position).toBe(0);
    expect(race.finished).toBe(false);
    await race.run(never, () => undefined);
    const { linear } = byId(race);
    expect(linear.now.position).toBe(TOKENS);
    expect(linear.milliseconds).toBeGreaterThan(stopped.linear.milliseconds);
    race.dispose();
  });

  it('reports a core that was restarted instead of going on with nothing', async () => {
    const client = createFullTestClient();
    const race = await Race.create(client, { ...how, cacheBytes: 2 ** 23 });
    client.restart();
    await expect(race.run(never, () => undefined)).rejects.toMatchObject({ argument: 'handle' });
    client.dispose();
  });
});

describe('the pace', () => {
  const turn = (tokens: number, multiplyAdds: number, milliseconds: number) => ({
    ...{ tokens, multiplyAdds, milliseconds },
  });

  it('is that of the last turns, and the time left that of the work left', () => {
    const old = turn(1_000_000, 1, 1);
    const found = pace([old, turn(100, 1000, 300), turn(50, 1000, 300)], 20_000);
    expect(found?.tokensPerSecond).toBe(250);
    expect(found?.secondsLeft).toBe(6);
  });

  it('is not known before anything was measured', () => {
    expect(pace([], 10)).toBeUndefined();
    expect(pace([turn(10, 100, 0)], 10)).toBeUndefined();
  });
});

describe('the texts', () => {
  it('are cut into chapters with titles', () => {
    expect(
      chaptersOf('Etymology\nThe pale Usher\n\nhe loved\fChapter 1. Loomings\nCall me'),
    ).toEqual({
      titles: ['Etymology', 'Chapter 1. Loomings'],
      sections: ['The pale Usher\n\nhe loved', 'Call me'],
    });
    expect(ownText('a b')).toEqual({ titles: [''], sections: ['a b'] });
  });
});
