/** The one client of this document: one worker, one heap, for its figures, exercises and measurements. */
import { type Client, createClient, type FeatureMapInfo, type ModuleName } from '#client';

let client: Client | undefined;

/**
 * @param module what the worker begins with when this is the first who asks: `full` on a page that
 * needs more than `start` has at once. Later callers share the client that is there.
 */
export function theCore(module: ModuleName = 'start'): Client {
  client ??= createClient({ module });
  return client;
}

const maps = new WeakMap<Client, Promise<readonly FeatureMapInfo[]>>();

/** The core's feature maps: they never change, so that each document asks for them once. */
export function featureMapsOf(client: Client): Promise<readonly FeatureMapInfo[]> {
  const found =
    maps.get(client) ??
    client.featureMaps().catch((error: unknown) => {
      maps.delete(client);
      throw error;
    });
  maps.set(client, found);
  return found;
}
