// The browsers beside Chromium in which the suite `browsers` opens the site. Setup imports this before `npm ci`.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { which } from '../../wasm/tools/process.mjs';

/** The path of a Firefox: FIREFOX_PATH, or else one that is installed; undefined when there is none. */
export function firefox() {
  if (process.env.FIREFOX_PATH) return process.env.FIREFOX_PATH;
  const application = '/Applications/Firefox.app/Contents/MacOS/firefox';
  // The `firefox` of Ubuntu is a snap, which cannot read a profile in the folder for temporary files.
  return which('firefox-esr') ?? (existsSync(application) ? application : undefined);
}

/** The path of WebKitGTK's MiniBrowser, which lies beside the library's own processes. */
export function miniBrowser() {
  for (const folder of ['/usr/lib', '/usr/lib64', '/usr/libexec', ...archFolders()]) {
    if (!existsSync(folder)) continue;
    const versions = readdirSync(folder).filter((name) => /^webkit2?gtk-\d/.test(name));
    const found = versions
      .map((name) => join(folder, name, 'MiniBrowser'))
      .filter((file) => existsSync(file));
    if (found.length > 0) return found.sort().at(-1);
  }
  return undefined;
}

/** Debian keeps libraries in a folder for each kind of processor. */
const archFolders = () =>
  ['x86_64', 'aarch64'].map((processor) => `/usr/lib/${processor}-linux-gnu`);

/** WebKitGTK with the program that drives it and the screen that it draws on; undefined unless all are there. */
export function webkit() {
  const [browser, driver, screen] = [miniBrowser(), which('WebKitWebDriver'), which('Xvfb')];
  return browser && driver && screen ? { browser, driver, screen } : undefined;
}

/** Each browser of the suite: its name, whether it is here, and what installs it on Debian. */
export const browsers = {
  firefox: { name: 'Firefox', found: firefox, apt: ['firefox-esr'] },
  webkit: { name: 'WebKitGTK', found: webkit, apt: ['webkit2gtk-driver', 'xvfb'] },
};
