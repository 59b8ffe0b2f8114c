/** Tells why this binary runs and which others could. The functions are pure; other code asks the browser. */

export interface Choice {
  /** The build that runs. */
  readonly build: string;
  /** All there are, the fastest first, and those that this site was built with. */
  readonly builds: readonly string[];
  readonly built: readonly string[];
  /** The build that the address asks for. */
  readonly asked: string | null;
  readonly canRun: (build: string) => boolean;
}

export interface Reason {
  /** `absent`: it would have run, but this site was built without it. */
  readonly kind: 'asked' | 'unknown' | 'unable' | 'absent';
  readonly build: string;
}

/** A reason beside the results of the probes; undefined if these are the reason. */
export function reasonOf({ build, builds, built, asked, canRun }: Choice): Reason | undefined {
  if (asked === build) return { kind: 'asked', build };
  const known = asked !== null && builds.includes(asked);
  if (asked !== null && !known) return { kind: 'unknown', build: asked };
  if (known && !canRun(asked)) return { kind: 'unable', build: asked };
  const wanted = known ? asked : builds.find(canRun);
  return wanted !== undefined && wanted !== build && !built.includes(wanted)
    ? { kind: 'absent', build: wanted }
    : undefined;
}

export const othersOf = ({ build, builds, built, canRun }: Omit<Choice, 'asked'>): string[] =>
  builds.filter((one) => one !== build && built.includes(one) && canRun(one));
