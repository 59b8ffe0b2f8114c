/**
 * The page of a SCORM package. It finds the learning system, asks who works and what was kept, and shows the lab in a
 * frame: the one that lies in the package, or the one on the instructor's own host. The lab speaks SPLICE with this page,
 * and this page speaks SCORM. Bundled as one classic script (`plugins/classic-scripts.ts`).
 */
import { sha256 } from '../../exercises/sha256.ts';
import type { Host, Opened } from '../host/host.ts';
import { findApi, type ScormVersion, scormHost } from '../host/scorm.ts';
import { answerSplice } from '../host/splice.ts';

/** What the package says in `<script type="application/json" id="package">`. */
export interface ShellOptions {
  readonly scorm: ScormVersion;
  /** The address of the lab, from here, with its query. */
  readonly page: string;
  readonly title: string;
  /** What is said where no learning system is. */
  readonly alone: string;
}

/** Some systems put their object there after the page. */
const LATEST_MS = 10_000;
const LOOK_EVERY_MS = 200;

async function find(scorm: ScormVersion): Promise<Host | undefined> {
  for (let waited = 0; waited < LATEST_MS; waited += LOOK_EVERY_MS) {
    const api = findApi(window, scorm);
    if (api) return scormHost(api, scorm);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return undefined;
}

/**
 * The name of the drawer in which the lab keeps this student's work. The browser takes all students of a shared computer
 * for one, because they work on pages of the same learning system. Whoever is not named gets a drawer of their own.
 */
const keeperOf = (opened: Opened | undefined): string => {
  const who = opened?.student || String(Math.random()) + String(performance.now());
  return sha256(`attention-labs ${who}`).slice(0, 16);
};

async function begin(): Promise<void> {
  const text = document.getElementById('package')?.textContent ?? '{}';
  const { scorm, page, title, alone } = JSON.parse(text) as ShellOptions;
  const host = await find(scorm);
  const opened = await host?.open();
  const address = new URL(page, location.href);
  address.searchParams.set('host', 'splice');
  address.searchParams.set('keeper', keeperOf(opened));

  const frame = document.createElement('iframe');
  frame.title = title;
  frame.allow = 'clipboard-write';
  // The frame takes what the window has left, and the lab scrolls in it.
  document.documentElement.style.height = '100%';
  document.body.style.cssText = 'display:flex;flex-direction:column;margin:0;height:100%';
  frame.style.cssText = 'flex:1;width:100%;border:0';
  if (!opened) {
    const said = document.createElement('p');
    said.setAttribute('role', 'status');
    said.style.cssText = 'margin:0;padding:.5rem 1rem;font:1rem/1.4 sans-serif';
    said.textContent = alone;
    document.body.append(said);
  }
  answerSplice(window, () => frame.contentWindow, address.origin, {
    state: async () => opened,
    report: (report) => host?.report(report) ?? false,
  });
  frame.src = address.href;
  document.body.append(frame);
  if (!host || !opened) return;
  addEventListener('pagehide', ({ persisted }: PageTransitionEvent) =>
    persisted ? host.park() : host.finish(),
  );
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') host.park();
  });
}

void begin();
