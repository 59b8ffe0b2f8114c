/**
 * Two readers of one text, softmax attention with a growing cache and linear attention with its state. They run on
 * one thread and take turns of about equal time; each has a clock of its own, which the worker reads around its work.
 */
import { type Client, type ReadingProgress, TextReader } from '#client';

export const runnerIds = ['linear', 'softmax'] as const;
export type RunnerId = (typeof runnerIds)[number];

/** A turn lasts about this long: short enough for Stop, long enough that the way to the worker costs little. */
const TURN_MILLISECONDS = 80;
/** The first turn, before anything is known of the speed. */
const FIRST_TOKENS = 64;
/** Speed is that of the last turns, as many as take this long. */
const RECENT_MILLISECONDS = 600;
/** A sample is kept when the text read has grown by this factor, so that a chart has equal steps. */
const GROWTH = 1.12;

/** How far a runner was at a moment of its own clock. */
export interface Sample {
  readonly tokens: number;
  readonly milliseconds: number;
  readonly bytes: number;
}

export interface Runner {
  readonly id: RunnerId;
  readonly now: ReadingProgress;
  /** Of its own clock. */
  readonly milliseconds: number;
  /** How many characters of its section are read. */
  readonly place: number;
  readonly tokensPerSecond: number | undefined;
  /** Until its end, at the pace of the last turns: multiply-adds left ÷ multiply-adds a second. */
  readonly secondsLeft: number | undefined;
  readonly samples: readonly Sample[];
  /** Why it has ended: the text is read, or the cache is full. */
  readonly end: 'read' | 'full' | undefined;
}

interface Turn {
  readonly tokens: number;
  readonly multiplyAdds: number;
  readonly milliseconds: number;
}

/** What the last turns tell about speed; undefined before the first. */
export function pace(turns: readonly Turn[], left: number) {
  let [tokens, multiplyAdds, milliseconds] = [0, 0, 0];
  for (const turn of [...turns].reverse()) {
    tokens += turn.tokens;
    multiplyAdds += turn.multiplyAdds;
    milliseconds += turn.milliseconds;
    if (milliseconds >= RECENT_MILLISECONDS) break;
  }
  if (milliseconds <= 0 || multiplyAdds <= 0) return undefined;
  return {
    tokensPerSecond: (1000 * tokens) / milliseconds,
    secondsLeft: (left * milliseconds) / multiplyAdds / 1000,
  };
}

const endOf = ({ position, capacity, tokens }: ReadingProgress): Runner['end'] => {
  if (position < capacity) return undefined;
  return capacity < tokens ? 'full' : 'read';
};

export interface RaceOptions {
  readonly sections: readonly string[];
  readonly d: number;
  readonly seed: number;
  /** The most that the cache of softmax attention may take. */
  readonly cacheBytes: number;
}

export class Race {
  private readonly turns: Record<RunnerId, Turn[]> = { linear: [], softmax: [] };

  private constructor(
    private readonly readers: Readonly<Record<RunnerId, TextReader>>,
    private readonly runners: Record<RunnerId, Runner>,
    readonly sections: readonly string[],
  ) {}

  static async create(
    client: Client,
    { sections, d, seed, cacheBytes }: RaceOptions,
  ): Promise<Race> {
    const made: Partial<Record<RunnerId, TextReader>> = {};
    try {
      const runners: Partial<Record<RunnerId, Runner>> = {};
      for (const id of runnerIds) {
        const reader = await TextReader.create(client, {
          ...{ mechanism: id, sections: [...sections], dK: d, dV: d, seed },
          ...(id === 'softmax' ? { cacheBytes } : {}),
        });
        made[id] = reader;
        runners[id] = {
          ...{ id, now: await reader.progress(), milliseconds: 0, place: 0, samples: [] },
          ...{ tokensPerSecond: undefined, secondsLeft: undefined, end: undefined },
        };
      }
      return new Race(
        made as Record<RunnerId, TextReader>,
        runners as Record<RunnerId, Runner>,
        sections,
      );
    } catch (error) {
      for (const reader of Object.values(made)) void reader.dispose();
      throw error;
    }
  }

  /** The state of both, linear attention first. */
  get state(): readonly Runner[] {
    return runnerIds.map((id) => this.runners[id]);
  }

  get finished(): boolean {
    return this.state.every(({ end }) => end !== undefined);
  }

  /** The share of all tokens that can be read which have been read. */
  get fraction(): number {
    const all = this.state.reduce((sum, { now }) => sum + now.capacity, 0);
    return this.state.reduce((sum, { now }) => sum + now.position, 0) / all;
  }

  /** Goes on until both have ended, or until the signal; what was read stays read. */
  async run(signal: AbortSignal, changed: () => void): Promise<void> {
    while (!this.finished && !signal.aborted) {
      for (const id of runnerIds) {
        if (signal.aborted) return;
        if (this.runners[id].end) continue;
        // A turn is not broken off by the signal: its time would be lost, and its tokens would not.
        await this.turn(id);
        changed();
      }
    }
  }

  private async turn(id: RunnerId): Promise<void> {
    const before = this.runners[id];
    const rate = before.tokensPerSecond;
    // Turns grow by steps, so that the beginning, which is fast, is seen too.
    const most = 2 * (this.turns[id].at(-1)?.tokens ?? FIRST_TOKENS / 2);
    const wanted = rate === undefined ? most : Math.round((rate * TURN_MILLISECONDS) / 1000);
    const tokens = Math.max(1, Math.min(most, wanted));
    const { milliseconds: spent, ...now } = await this.readers[id].read(tokens);
    const milliseconds = before.milliseconds + spent;
    const turns = this.turns[id];
    turns.push({
      tokens: now.position - before.now.position,
      multiplyAdds: now.multiplyAdds - before.now.multiplyAdds,
      milliseconds: spent,
    });
    if (turns.length > 64) turns.shift();
    // The text of this turn, as it is written, within its last section: it begins where the last turn ended.
    const read = await this.readers[id].words(now.position - before.now.position);
    const from = now.section === before.now.section ? before.place : 0;
    const text = this.sections[now.section] ?? '';
    const place = text.indexOf(read, from) + read.length;
    const end = endOf(now);
    const last = before.samples.at(-1);
    const sample = { tokens: now.position, milliseconds, bytes: now.bytes };
    const keep = !last || end || sample.tokens >= GROWTH * last.tokens;
    const found = pace(turns, now.multiplyAddsLeft);
    this.runners[id] = {
      ...{ id, now, milliseconds, place, end },
      tokensPerSecond: found?.tokensPerSecond,
      secondsLeft: end ? undefined : found?.secondsLeft,
      samples: keep ? [...before.samples, sample] : before.samples,
    };
  }

  dispose(): void {
    for (const id of runnerIds) void this.readers[id].dispose();
  }
}
