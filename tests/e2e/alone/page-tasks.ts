/**
 * Traces how long the tasks of a page compute. The time is that of the processor, which other programs on the machine do
 * not lengthen; yet another machine is slower. A test therefore compares two traces of one page.
 */
import type { Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time in µs. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** What runs by itself on a thread: tasks, and the microtasks after a message. */
const TASKS = ['ThreadControllerImpl::RunTask', 'BlinkScheduler_PerformMicrotaskCheckpoint'];

export interface PageTasks {
  /** Milliseconds of the tasks of the page's own thread, the longest first. */
  readonly page: readonly number[];
  /** Milliseconds that all its workers computed. */
  readonly workers: number;
}

/** Begins to trace; what it returns ends the trace. */
export async function traceTasks(page: Page): Promise<() => Promise<PageTasks>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]));
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['toplevel', 'devtools.timeline', '__metadata'],
      recordMode: 'recordAsMuchAsPossible',
    },
  });
  return async () => {
    const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await ended;
    await session.detach();
    const threads = new Map(
      events
        .filter(({ name }) => name === 'thread_name')
        .map(({ pid, tid, args }) => [`${pid}/${tid}`, args.name]),
    );
    const tasksOf = (thread: string): readonly number[] =>
      events
        .filter(
          ({ ph, name, pid, tid }) =>
            ph === 'X' && TASKS.includes(name) && threads.get(`${pid}/${tid}`) === thread,
        )
        .map(({ tdur = 0 }) => tdur / 1000)
        .sort((a, b) => b - a);
    const tasks = tasksOf('CrRendererMain');
    if (tasks.length < 100) throw new Error(`the trace holds ${tasks.length} tasks of the page`);
    const workers = tasksOf('DedicatedWorker thread').reduce((sum, ms) => sum + ms, 0);
    return { page: tasks, workers };
  };
}

/** The longest tasks, to be read in the log of a run. */
export const longestOf = ({ page }: PageTasks): string =>
  page
    .slice(0, 5)
    .map((ms) => Math.round(ms))
    .join(', ');
