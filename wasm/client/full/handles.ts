/**
 * Objects that live in the worker. The page knows them by a number of its own choice that it never
 * uses twice: after a crash the new core does not know the number, and says so.
 */
let last = 0;

export const nextHandle = (): number => ++last;

/** What a call takes, but for the number that it is of. */
export type WithoutHandle<Input> = Omit<Input, 'handle'>;

/**
 * What the page holds of one: made by `create`, used call by call in the order of the calls (none need
 * be awaited before the next), given back by `dispose`. At most 256 of a kind are alive at a time.
 *
 * It is lost when the core has to be restarted. Calls then reject as they do after `dispose`: code
 * `value`, argument `handle`.
 */
export abstract class WorkerObject {
  protected readonly handle = { handle: nextHandle() };

  /** By what a call of another object names this one: two models, of which one drafts for the other. */
  get number(): number {
    return this.handle.handle;
  }

  protected abstract delete(): Promise<void>;

  /** Gives its memory back, after the calls made before. Never rejects: without a core it is gone. */
  async dispose(): Promise<void> {
    await this.delete().catch(() => undefined);
  }
}
