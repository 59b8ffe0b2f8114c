/** WebKitGTK, driven by W3C WebDriver: a command is one request with JSON. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { webkit } from '../tools/browsers.mjs';
import { collected, comeTo, type Find, type Key, type Place, type Tab } from './tab';

/** The keys of the protocol, https://www.w3.org/TR/webdriver2/#keyboard-actions. */
const keys: Readonly<Record<Key, readonly string[]>> = {
  ArrowRight: ['\uE014'],
  ArrowDown: ['\uE015'],
  Enter: ['\uE007'],
  SelectAll: ['\uE009', 'a'],
};

/** The key under which the protocol returns an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (!address || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}

/** Runs in the page. */
const focus = (one: HTMLElement): void => one.focus();

/** A screen that nobody sees: it resolves to its name once the server accepts programs. */
async function screen(program: string): Promise<{ name: string; server: ChildProcess }> {
  const args = ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'];
  const server = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const number = await new Promise<string>((done, failed) => {
    server.stdio[3]?.once('data', (data) => done(String(data).trim()));
    server.once('error', failed);
    server.once('exit', (code) => failed(new Error(`Xvfb ended with ${code}`)));
  });
  return { name: `:${number}`, server };
}

type Command = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

/** Sends commands to a driver. */
const commands =
  (root: string): Command =>
  async (method, path, body) => {
    const answer = await fetch(root + path, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { value: unknown };
    if (!answer.ok) {
      const { error, message } = value as { error: string; message: string };
      throw new Error(`${method} ${path}: ${error}. ${message}`);
    }
    return value;
  };

/** Waits until the driver answers. */
async function ready(command: Command): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const status = await command('GET', '/status').catch(() => undefined);
    if ((status as { ready?: boolean } | undefined)?.ready) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('WebKitWebDriver does not answer');
}

export async function openWebkit(): Promise<Tab> {
  const found = webkit();
  if (!found) throw new Error('no WebKitGTK found: install webkit2gtk-driver and xvfb');
  const { name: display, server } = await screen(found.screen);
  const folder = mkdtempSync(join(tmpdir(), 'attention-labs-webkit-'));
  // The pages see a reader who wants less motion, as they do in Firefox. Otherwise a test waits until a picture that
  // moves by itself has stopped.
  for (const version of ['gtk-3.0', 'gtk-4.0']) {
    mkdirSync(join(folder, version));
    writeFileSync(join(folder, version, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
  }
  const port = await freePort();
  const driver = spawn(found.driver, [`--port=${port}`], {
    // A home of its own, so that nothing of the user's counts.
    env: {
      ...process.env,
      ...{ DISPLAY: display, LANGUAGE: 'en_GB' },
      ...{ HOME: folder, XDG_RUNTIME_DIR: folder, XDG_CONFIG_HOME: folder },
    },
    stdio: 'ignore',
  });
  const command = commands(`http://127.0.0.1:${port}`);
  await ready(command);
  const options = { binary: found.browser, args: ['--automation'] };
  const session = (await command('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
  })) as { sessionId: string; capabilities: { browserVersion: string } };
  const ask: Command = (method, path, body) =>
    command(method, `/session/${session.sessionId}${path}`, body);
  // A whole lab is read in one script.
  await ask('POST', '/timeouts', { script: 180_000 });
  await ask('POST', '/window/rect', { x: 0, y: 0, width: 1280, height: 940 });

  const run = (script: unknown, args: readonly unknown[] = []): Promise<unknown> =>
    ask('POST', '/execute/sync', { script: `return (${script})(...arguments)`, args });
  const element = async (find: Find): Promise<string> => {
    const one = (await run(find)) as Readonly<Record<string, string>> | null;
    const id = one?.[ELEMENT];
    if (!id) throw new Error(`the page has no element: ${find}`);
    return id;
  };
  // The driver's own commands for a click and for typing refuse elements in a shadow root in a frame. What mouse and
  // keyboard do works everywhere.
  const act = (source: object): Promise<unknown> => ask('POST', '/actions', { actions: [source] });
  const place: Place = {
    run: (script, ...args) => run(script, args) as never,
    click: async (find) => {
      const origin = await element(find);
      await run(comeTo, [{ [ELEMENT]: origin }]);
      const move = { type: 'pointerMove', duration: 0, origin: { [ELEMENT]: origin }, x: 0, y: 0 };
      const press = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }));
      const parameters = { pointerType: 'mouse' };
      await act({ type: 'pointer', id: 'mouse', parameters, actions: [move, ...press] });
    },
    press: async (find, key) => {
      await run(focus, [{ [ELEMENT]: await element(find) }]);
      const down = keys[key].map((value) => ({ type: 'keyDown', value }));
      const up = [...keys[key]].reverse().map((value) => ({ type: 'keyUp', value }));
      await act({ type: 'key', id: 'keyboard', actions: [...down, ...up] });
    },
  };
  const inFrames: string[] = [];
  const note = async (): Promise<string[]> => ((await run(collected)) as string[] | null) ?? [];
  return {
    ...place,
    version: `WebKitGTK/${session.capabilities.browserVersion}`,
    open: async (url) => {
      inFrames.length = 0;
      await ask('POST', '/url', { url });
    },
    inFrame: async (find, work) => {
      const frame = { [ELEMENT]: await element(find) };
      await run(comeTo, [frame]);
      await ask('POST', '/frame', { id: frame });
      try {
        return await work(place);
      } finally {
        inFrames.push(...(await note()));
        await ask('POST', '/frame', { id: null });
      }
    },
    problems: async () => [...(await note()), ...inFrames],
    close: async () => {
      await ask('DELETE', '').catch(() => undefined);
      driver.kill();
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
