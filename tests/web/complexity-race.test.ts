/** Tests the race of Lab 1 on a text short enough to be read in a moment. */
import { afterAll, describe, expect, it } from 'vitest';
import type { Client } from '#client';
import { pageAt } from '../../web/labs/complexity/figures/race/page';
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
      // All of the last section is read, but for the space at its end.
      expect(runner.place).toBe(chapter.trimEnd().length);
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

  it('knows at every turn how far each reader is in its section, to the letter', async () => {
    const words = Array.from({ length: 900 }, (_, i) => `w${i}`);
    const parts = [words.slice(0, 400), words.slice(400)].map((part) => `${part.join(', ')}. `);
    const race = await Race.create(core(), { ...how, sections: parts, cacheBytes: 2 ** 23 });
    let turns = 0;
    await race.run(never, () => {
      for (const { now, place } of race.state) {
        const read = parts
          .slice(0, now.section)
          .join('')
          .concat(parts[now.section]?.slice(0, place) ?? '');
        // A token is a word here, or a mark between two.
        const tokens = read.match(/\w+|[^\w\s]/g) ?? [];
        if (now.position > 0) expect(tokens.length).toBe(now.position);
        turns++;
      }
    });
    expect(turns).toBeGreaterThan(4);
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

describe('the page of the slower reader', () => {
  const text = 'one two three four five six seven eight nine ten';
  const read = (slower: number, ahead: number) => pageAt(text, slower, ahead, 20);
  const parts = (slower: number, ahead: number) =>
    read(slower, ahead).pieces.map((one) => one.text);

  it('is cut where both are, as long as both are on it', () => {
    expect(parts(0, 0)).toEqual(['', '', 'one two three four five ']);
    expect(parts(7, 13)).toEqual(['one two', ' three', ' four five ']);
    expect(read(7, 13).together).toBe(true);
    // The other one has turned the page over.
    expect(parts(7, 40)).toEqual(['one two', ' three four five ', '']);
    expect(read(7, 40).together).toBe(false);
  });

  it('is turned over with the first word behind it, and no word is on two pages', () => {
    const whole = (place: number): string => parts(place, place).join('');
    const pages = [...new Set(Array.from(text, (_, i) => whole(i + 1)))];
    expect(pages.join('')).toBe(text);
    for (let i = 1; i <= text.length; i++) {
      expect(text.slice(0, i).endsWith(parts(i, i)[0] ?? '-')).toBe(true);
    }
  });
});
