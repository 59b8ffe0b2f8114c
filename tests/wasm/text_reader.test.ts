import { describe, expect, it } from 'vitest';
import { CoreError, TextReader } from '#client';
import { createFullTestClient, testBuilds } from './in_process';
import { failure } from './support';

const sections = ['Call me Ishmael. Some years ago, never mind how long', 'precisely, I sailed.'];

describe.each(testBuilds)('a reader of a text, %s build', (build) => {
  it('reads as many tokens as it is told, says where it is and how long the core worked', async () => {
    const client = createFullTestClient(build);
    try {
      const reader = await TextReader.create(client, {
        mechanism: 'softmax',
        sections,
        dK: 8,
        dV: 8,
      });
      expect(await reader.progress()).toMatchObject({ position: 0, tokens: 17, section: 0 });
      const now = await reader.read(14);
      expect(now).toMatchObject({ position: 14, section: 1, capacity: 17, bytes: 14 * 16 * 4 });
      expect(now.milliseconds).toBeGreaterThan(0);
      expect(await reader.words(2)).toBe('precisely,');
      expect(await reader.read(100)).toMatchObject({ position: 17, multiplyAddsLeft: 0 });
      await reader.dispose();
      expect((await failure(reader.read(1))).argument).toBe('handle');
    } finally {
      client.dispose();
    }
  });

  it('makes linear attention of the map that was chosen, and a cache as large as was allowed', async () => {
    const client = createFullTestClient(build);
    try {
      const how = { sections, dK: 4, dV: 4 };
      const featureMap = { id: 'taylor_compact' };
      const linear = await TextReader.create(client, { ...how, mechanism: 'linear', featureMap });
      // D = (d + 1)(d + 2)/2, and a state of D·(d_v + 1) numbers.
      expect((await linear.read(1)).bytes).toBe(15 * 5 * 4);
      const softmax = await TextReader.create(client, {
        ...{ ...how, mechanism: 'softmax', cacheBytes: 5 * 8 * 4 },
      });
      expect(await softmax.read(100)).toMatchObject({ position: 5, capacity: 5, tokens: 17 });
      const none = TextReader.create(client, { ...how, mechanism: 'linear', sections: [' '] });
      const error = await failure(none);
      expect(error).toBeInstanceOf(CoreError);
      expect(error.argument).toBe('sections');
    } finally {
      client.dispose();
    }
  });
});
