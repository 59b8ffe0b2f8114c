/**
 * Ten labs on one page would each start a core at once. They start one after the other instead, a few at a time, in the
 * order in which they asked.
 */
export class BootQueue {
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(slots: number) {
    this.free = slots;
  }

  /** Calls `start` once there is a place. What it returns gives up the place, or the wait for it; once is enough. */
  enter(start: () => void): () => void {
    let inside = false;
    let left = false;
    const begin = (): void => {
      inside = true;
      this.free -= 1;
      start();
    };
    if (this.free > 0) begin();
    else this.waiting.push(begin);
    return () => {
      if (left) return;
      left = true;
      if (inside) {
        this.free += 1;
        this.waiting.shift()?.();
      } else this.waiting.splice(this.waiting.indexOf(begin), 1);
    };
  }
}
