/**
 * Records which branches of the code an input reached. tests/fuzz/instrument.mjs writes a call of `hit` into every
 * branch of the modules under test. Without these calls nothing is counted, and no input counts as new.
 */

const SLOTS = 1 << 16;
const counts = new Uint8Array(SLOTS);
const touched = new Uint16Array(SLOTS);
let touchedCount = 0;

/** Notes that the branch with this number was reached. */
export function hit(place: number): void {
  const before = counts[place] as number;
  if (before === 0) touched[touchedCount++] = place;
  if (before < 255) counts[place] = before + 1;
}

/**
 * Groups counts into 1, 2, 3, 4–7, 8–15, 16–31, 32–127 and more, because a loop that ran once more often is nothing
 * new.
 */
const bucket = (count: number): number => {
  if (count < 4) return count - 1;
  if (count < 8) return 3;
  if (count < 16) return 4;
  if (count < 32) return 5;
  return count < 128 ? 6 : 7;
};

/** Forgets all branches that were reached. */
export function startCounting(): void {
  for (let i = 0; i < touchedCount; i++) counts[touched[i] as number] = 0;
  touchedCount = 0;
}

/** Yields each branch that was reached, combined with its group of counts into one number. */
export function* reached(): Generator<number> {
  for (let i = 0; i < touchedCount; i++) {
    const place = touched[i] as number;
    yield place * 8 + bucket(counts[place] as number);
  }
}

/** Everything that a number of inputs reached together. */
export class Reached {
  readonly #seen = new Uint8Array(SLOTS);
  places = 0;

  /** Adds what the last input reached; returns whether any of it is new. */
  add(): boolean {
    let isNew = false;
    for (let i = 0; i < touchedCount; i++) {
      const place = touched[i] as number;
      const bit = 1 << bucket(counts[place] as number);
      const before = this.#seen[place] as number;
      if (before & bit) continue;
      if (before === 0) this.places++;
      this.#seen[place] = before | bit;
      isNew = true;
    }
    return isNew;
  }
}
