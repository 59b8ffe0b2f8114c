import { CoreError } from '#client';

/** Whether a job failed because its worker ended: the others go on. Any other failure is a fault of the page. */
export const workerLost = (error: unknown): boolean =>
  error instanceof CoreError && (error.code === 'trap' || error.code === 'gone');

/** Results of jobs that run side by side, in the order in which they arrive. */
export async function* arrivals<T>(jobs: readonly Promise<T>[]): AsyncGenerator<T> {
  const done: T[] = [];
  let wake = (): void => undefined;
  let failure: { readonly error: unknown } | undefined;
  for (const job of jobs) {
    job.then(
      (result) => {
        done.push(result);
        wake();
      },
      (error: unknown) => {
        failure ??= { error };
        wake();
      },
    );
  }
  for (let given = 0; given < jobs.length; ) {
    const next = done[given];
    if (next !== undefined) {
      given++;
      yield next;
      continue;
    }
    if (failure) throw failure.error;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}
