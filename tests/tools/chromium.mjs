// The machine's own Chromium: Playwright cannot download one here. Setup imports this before
// `npm ci`, hence the late import of playwright-core.
import { existsSync, readFileSync } from 'node:fs';
import { which } from '../../wasm/tools/process.mjs';

const places = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Ubuntu's package is only a script that tells the user to install the snap. */
const isSnapStub = (file) => {
  const head = readFileSync(file).subarray(0, 4096).toString('latin1');
  return head.startsWith('#!') && /requires the chromium snap|snap install/.test(head);
};

/** The path of a Chromium: CHROMIUM_PATH, or else one on PATH; undefined when there is none. */
export function chromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const found = places.map((name) => (name.startsWith('/') ? name : which(name)));
  return found.find((file) => file && existsSync(file) && !isSnapStub(file));
}

export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A headless browser with a profile of its own; the caller closes it. */
export async function launchChromium({ executablePath = chromium(), ...options } = {}) {
  if (!executablePath) throw new Error('no Chromium found: set CHROMIUM_PATH');
  const playwright = await import('playwright-core');
  return playwright.chromium.launch({ executablePath, args: chromiumFlags, ...options });
}

/**
 * The path of the Chromium that has no windows, where it is installed, or else of the other: it is the same engine, and
 * has a third to a half less to do for each page that is opened.
 */
export const windowless = () =>
  (process.env.CHROMIUM_PATH ? undefined : which('chromium-headless-shell')) ?? chromium();

/** A headless browser of that kind, for everything that does not measure what a visitor's browser takes. */
export const launchWindowless = (options = {}) =>
  launchChromium({ executablePath: windowless(), ...options });
