/** The recorded run of `npm run bench:peers`, of which this lab shows our own times. */
import type { PeersRecord } from '../../../../src/speed/recorded/record';

export interface Recorded {
  readonly about: {
    readonly machine: string;
    readonly browser: string;
    readonly date: string;
    readonly command: string;
    readonly rounds: number;
  };
  /** Medians in milliseconds by length; undefined for a case that is not in it. */
  times(name: string): readonly { readonly n: number; readonly median: number }[] | undefined;
}

export async function recordedRun(): Promise<Recorded> {
  const { default: json } = await import('../../../../src/speed/recorded/peers.json');
  // Written by our own bench; the type describes that file.
  const { about, cases } = json as unknown as PeersRecord;
  const { machine, browser, date, command, rounds } = about;
  return {
    about: { machine: `${machine.cpu}, ${machine.cores}`, browser, date, command, rounds },
    times: (name) => {
      const one = cases.find((found) => found.name === name);
      const own = one?.contenders.find(({ peer }) => peer === 'ours simd');
      return one?.sizes.flatMap((n, i) => {
        const median = own?.median[i];
        return typeof median === 'number' ? [{ n, median }] : [];
      });
    },
  };
}
