/** The Q, K and V of the first figure, for the other figures of the lab. */
import type { Ask, LabData } from '../../src/lab/types.ts';
import type { LabState } from './link-state.ts';

/** While a knob is dragged, the other figures are not told of every value. */
const SETTLE_MS = 250;

interface Source {
  readonly values: () => LabState;
  /** What the data on screen is; empty before there is any. */
  readonly onScreen: () => string;
  readonly inputs: (ask: Ask) => ReturnType<LabData['inputs']>;
}

export class SharedData implements LabData {
  private readonly listeners = new Set<() => void>();
  private settling: ReturnType<typeof setTimeout> | undefined;
  private told = '';

  constructor(private readonly source: Source) {}

  get caption(): string {
    return this.source.onScreen();
  }
  get seed(): number {
    return this.source.values().seed;
  }
  get causal(): boolean {
    return this.source.values().causal;
  }
  get scale(): number | undefined {
    return this.source.values().scale ? undefined : 1;
  }

  readonly inputs = (ask: Ask): ReturnType<LabData['inputs']> => this.source.inputs(ask);

  readonly onChange = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Once the knobs rest, tells the other figures if the data is another. `own`: what names own matrices. */
  tell(own: () => readonly unknown[]): void {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      const { input, text, n, dK, dV, seed, scale, causal } = this.source.values();
      const data = { own, text: () => [dK, dV, text], gaussian: () => [dK, dV, n] }[input]();
      const now = JSON.stringify([input, seed, scale, causal, ...data]);
      if (now === this.told) return;
      this.told = now;
      for (const listener of this.listeners) listener();
    }, SETTLE_MS);
  }

  dispose(): void {
    clearTimeout(this.settling);
  }
}
