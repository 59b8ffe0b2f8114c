/** Tests that a student's code can do nothing to the page and reach no network. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { createSandbox as CreateSandbox } from '../../web/src/exercises/sandbox/sandbox';
import type { RunJob, RunResult } from '../../web/src/exercises/types';
import { launchWindowless } from '../tools/chromium.mjs';
import { strictCsp } from '../tools/readme.mjs';
import { buildSandboxSite } from './sandbox_site';

declare global {
  interface Window {
    createSandbox: typeof CreateSandbox;
    box: ReturnType<typeof CreateSandbox>;
    watch: { longest: number };
    /** Resolves once code runs that was started just now. */
    underway(): Promise<void>;
  }
}

let site: Awaited<ReturnType<typeof buildSandboxSite>>;
let served: Awaited<ReturnType<typeof site.open>>;
let browser: Browser;
let page: Page;
/** A server that notices every connection, and the first line that came over it. */
let listener: Server;
let outside = '';
const noticed = new Set<string>();
const errors: string[] = [];

const languages = ['javascript', 'python'] as const;
type Language = (typeof languages)[number];

async function openPage(url: string): Promise<Page> {
  const opened = await browser.newPage();
  opened.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) errors.push(message.text());
  });
  await opened.goto(`${url.replace(/ /g, '%20')}index.html`);
  await opened.waitForFunction(() => 'createSandbox' in window);
  await opened.evaluate(() => {
    window.box = window.createSandbox();
  });
  return opened;
}

beforeAll(async () => {
  site = await buildSandboxSite();
  served = await site.open(strictCsp);
  browser = await launchWindowless();
  listener = createServer((socket) => {
    socket.once('data', (data) => {
      noticed.add(data.toString('latin1').split('\r\n', 1)[0] ?? '');
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    socket.once('close', (broken) => {
      if (broken || socket.bytesRead === 0) noticed.add('a connection without a word');
    });
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  outside = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
  page = await openPage(served.url);
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
  listener?.close();
  site?.remove();
});
afterEach(() => {
  expect(errors.splice(0), 'console errors').toEqual([]);
});

/**
 * A job as it is sent to the page. The type is simple, because Playwright's types would descend into nested values.
 */
interface Job {
  readonly cases: readonly unknown[];
}

interface Try {
  readonly cases?: RunJob['cases'];
  readonly seconds?: number;
  /** The milliseconds after which Stop is pressed. */
  readonly stopAfter?: number;
}

/** Runs `f`, and returns its result and how long the page was kept waiting. */
function run(
  language: Language,
  code: string,
  { cases = [{ args: [] }], seconds = 20, stopAfter }: Try = {},
) {
  return page.evaluate(
    async ({ job, seconds, stopAfter }) => {
      window.watch.longest = 0;
      if (stopAfter !== undefined) setTimeout(() => window.box.stop(), stopAfter);
      const started = performance.now();
      const deadlines = [{ cases: job.cases.length, seconds }];
      const result = await window.box.run(job as never, { deadlines });
      return { result, took: performance.now() - started, longest: window.watch.longest };
    },
    {
      job: { language, code, entry: 'f', cases, parameters: [] } as object as Job,
      seconds,
      stopAfter,
    },
  ) as Promise<{ result: RunResult; took: number; longest: number }>;
}

/**
 * The time that distinguishes an answer from waiting for a time limit, in milliseconds on this machine. The goal is
 * one second, and the measured time is printed, but a busy machine may take longer.
 */
const promptHere = () => page.evaluate(() => 5000 * window.box.slowness);

/**
 * Expects that nothing but this has reached the server outside: an address that is opened now, which takes the way
 * that a request of the code would have taken before it.
 */
async function nothingWentOut(): Promise<void> {
  const witness = await browser.newPage();
  // There is nothing to show at that address.
  await witness.goto(`${outside}witness`).catch(() => undefined);
  await witness.close();
  expect([...noticed]).toEqual(['GET /witness HTTP/1.1']);
  noticed.clear();
}

/** The result of a well-behaved function without arguments. */
async function answerOf(language: Language): Promise<unknown> {
  const code = language === 'python' ? 'def f():\n    return 42\n' : 'function f() { return 42; }';
  const { result } = await run(language, code);
  expect(result).toMatchObject({ cases: [{ value: 42 }] });
  return result.cases[0]?.value;
}

/** Code that misbehaves, and what its last outcome must be. Each test also checks that the next run works. */
const mischief: Record<
  Language,
  Record<string, { code: string; says: RegExp; seconds?: number }>
> = {
  javascript: {
    'a loop without end': {
      code: 'function f() { while (true); }',
      says: /TimeLimit/,
      seconds: 0.5,
    },
    'a top level without end': { code: 'while (true);', says: /TimeLimit/, seconds: 0.5 },
    'an array of 10⁹ numbers': {
      code: 'function f() { return Matrix.zeros(1e5, 1e4); }',
      says: /MemoryError/,
    },
    'a list that grows without end': {
      code: 'function f() { const a = []; while (true) a.push(new Array(1e5).fill(0)); }',
      says: /TimeLimit|MemoryError|Crash/,
      seconds: 1,
    },
    'wasm memories without end': {
      code: 'const kept = [];\nfunction f() { for (;;) kept.push(new WebAssembly.Memory({ initial: 65536, maximum: 65536 })); }',
      says: /could not allocate memory|TimeLimit|MemoryError|Crash/,
      seconds: 10,
    },
    'deep recursion': {
      code: 'function f() { return f() + 1; }',
      says: /RangeError.*calls itself/,
    },
    'a print without end': {
      code: 'function f() { while (true) console.log("again and again"); }',
      says: /OutputLimit/,
    },
    'a closed worker': {
      code: 'function f() { self.close(); while (true); }',
      says: /TimeLimit/,
      seconds: 0.5,
    },
    'a changed Array.prototype': {
      code: 'for (const name of Object.getOwnPropertyNames(Array.prototype)) Array.prototype[name] = () => { throw new Error("mine"); };\nfunction f() { return [Matrix.zeros(1, 1)]; }',
      says: /Error/,
    },
    'a changed Object.prototype': {
      code: 'Object.prototype.value = 1; Object.prototype.type = "ready"; Object.prototype.then = () => { while (true); };\nfunction f() { return { a: null.b }; }',
      says: /TypeError/,
    },
    'a changed Function.prototype': {
      code: 'Function.prototype.call = Function.prototype.apply = Function.prototype.bind = Function = null;\nfunction f() { throw new Error("on purpose"); }',
      says: /on purpose/,
    },
    'a changed postMessage': {
      code: 'self.postMessage = MessagePort.prototype.postMessage = () => {}; self.onmessage = null;\nfunction f() { throw new Error("on purpose"); }',
      says: /on purpose/,
    },
    'results that are none': {
      code: 'Float64Array.from = () => "none"; Object.defineProperty(Matrix.prototype, "rows", { value: -1 });\nfunction f() { return Matrix.zeros(1, 1); }',
      says: /TypeError/,
    },
    'a getter that takes the port': {
      code: 'let port; Object.defineProperty(MessageEvent.prototype, "data", { get() { port = this.target; return undefined; } });\nfunction f() { if (port) for (;;) port.postMessage({ type: "print", text: "x".repeat(1000) }); throw new Error("on purpose"); }',
      says: /on purpose/,
    },
    'a list of 2·10⁸ holes': {
      code: 'const b = []; b.length = 2e8;\nfunction f() { Array.prototype.map = () => b; return []; }',
      says: /TypeError/,
    },
    'a brace that closes what is around it': {
      code: '}); postMessage("hello"); (function () {\nfunction f() { return 1; }',
      says: /NameError|SyntaxError|TypeError/,
    },
  },
  python: {
    'a loop without end': {
      code: 'def f():\n    while True: pass\n',
      says: /TimeLimit/,
      seconds: 0.5,
    },
    'a top level without end': { code: 'while True: pass\n', says: /TimeLimit/, seconds: 0.5 },
    'an array of 10⁹ numbers': {
      code: 'import numpy as np\ndef f():\n    return np.zeros((100000, 10000))\n',
      says: /MemoryError/,
    },
    'a list that grows without end': {
      code: 'def f():\n    a = []\n    while True: a.append([0] * 100000)\n',
      says: /TimeLimit|MemoryError|Crash/,
      seconds: 3,
    },
    'deep recursion': { code: 'def f():\n    return f() + 1\n', says: /Recursion|RuntimeError/ },
    'a print without end': {
      code: 'def f():\n    while True: print("again and again")\n',
      says: /OutputLimit/,
    },
    'modules taken away': {
      code: 'import sys\nfor name in list(sys.modules):\n    del sys.modules[name]\ndef f():\n    raise ValueError("on purpose")\n',
      says: /on purpose/,
    },
    'built-in functions taken away': {
      code: 'import builtins\nbuiltins.print = None\nbuiltins.len = None\nbuiltins.isinstance = None\nbuiltins.type = None\ndef f():\n    raise ValueError("on purpose")\n',
      says: /on purpose|Python itself stopped/,
    },
  },
};

const last = ({ loadError, cases }: RunResult): string => {
  const { type = '', message = '' } = loadError ?? cases.at(-1)?.error ?? {};
  return `${type}: ${message}`;
};

for (const language of languages) {
  describe(language, () => {
    for (const [name, { code, says, seconds = 20 }] of Object.entries(mischief[language])) {
      it(`${name} ends, leaves the page answering, and the next run is right`, async () => {
        const { result, longest } = await run(language, code, { seconds });
        expect(last(result)).toMatch(says);
        expect(longest).toBeLessThan(await promptHere());
        expect(await answerOf(language)).toBe(42);
      });
    }

    it('loses neither the finished cases nor the printed text of the interrupted one', async () => {
      const code =
        language === 'python'
          ? 'def f(n):\n    print("case", n)\n    while n == 2: pass\n    return n\n'
          : 'function f(n) { console.log("case", n); while (n === 2); return n; }';
      const cases = [0, 1, 2, 3].map((n) => ({ args: [n] }));
      const { result } = await run(language, code, { cases, seconds: 1 });
      expect(result).toMatchObject({
        stopped: 'time',
        cases: [
          { value: 0, prints: 'case 0\n' },
          { value: 1, prints: 'case 1\n' },
          { error: { type: 'TimeLimit' }, prints: 'case 2\n' },
        ],
      });
    });

    it('stops when told, and runs again at once', async () => {
      const endless = mischief[language]['a loop without end']?.code ?? '';
      await answerOf(language);
      const { result } = await run(language, endless, { stopAfter: 300 });
      expect(result.stopped).toBe('user');
      const again = performance.now();
      await answerOf(language);
      const waited = performance.now() - again;
      console.log(`${language}, from Stop to the next answer: ${waited.toFixed(0)} ms`);
      expect(waited).toBeLessThan(await promptHere());
    });

    it('keeps the first 10 000 characters of a long print', async () => {
      const code =
        language === 'python'
          ? 'def f():\n    for i in range(3000): print("0123456789")\n'
          : 'function f() { for (let i = 0; i < 3000; ++i) console.log("0123456789"); }';
      const { result } = await run(language, code);
      const { prints = '' } = result.cases[0] ?? {};
      expect(prints.length).toBeGreaterThanOrEqual(10_000);
      // Python adds a line that says that the text was cut.
      expect(prints.length).toBeLessThan(10_100);
    });
  });
}

it('a file that runs before the session is ready is stopped too, by Stop and by the limit', async () => {
  const code = 'return 1 }); while (true); (function () { function f() { return 1 }';
  // Nothing tells the page that code has begun before it was told to, so a time has to do.
  const stopped = await run('javascript', code, { stopAfter: 500 });
  expect(stopped.result).toEqual({ prints: '', cases: [], stopped: 'user' });
  expect(await answerOf('javascript')).toBe(42);
  const take = (options: object) =>
    page.evaluate((options) => {
      window.box.dispose();
      window.box = window.createSandbox(options);
    }, options);
  await take({ scriptSeconds: 2 });
  const late = await run('javascript', code);
  expect(late.result).toMatchObject({ stopped: 'time', loadError: { type: 'TimeLimit' } });
  expect(await answerOf('javascript')).toBe(42);
  await take({});
});

it('the code reaches no network, no storage and no page', async () => {
  const code = `function f() {
    const tried = {};
    const attempt = (name, make) => {
      try { const made = make(); tried[name] = made === undefined ? 'undefined' : 'made'; } catch (error) { tried[name] = error.name; }
    };
    const url = '${outside}';
    attempt('eval', () => eval('1'));
    attempt('Function', () => new Function('return 1')());
    attempt('importScripts', () => importScripts(url));
    attempt('importScripts blob', () => importScripts(URL.createObjectURL(new Blob(['1']))));
    attempt('XMLHttpRequest', () => { const x = new XMLHttpRequest(); x.open('GET', url, false); x.send(); return x; });
    attempt('indexedDB', () => indexedDB.open('x'));
    attempt('localStorage', () => localStorage);
    attempt('parent', () => parent);
    attempt('document', () => document);
    attempt('opener', () => opener);
    fetch(url).catch(() => {});
    navigator.sendBeacon?.(url);
    try { new WebSocket('${outside.replace('http', 'ws')}'); } catch {}
    try { new EventSource(url); } catch {}
    return { ...tried, origin: String(self.origin) };
  }`;
  const { result } = await run('javascript', code);
  expect(result.cases[0]?.value).toEqual({
    kind: 'dict',
    entries: {
      eval: 'EvalError',
      Function: 'EvalError',
      importScripts: 'NetworkError',
      'importScripts blob': 'NetworkError',
      XMLHttpRequest: 'NetworkError',
      indexedDB: 'SecurityError',
      localStorage: 'ReferenceError',
      parent: 'ReferenceError',
      document: 'ReferenceError',
      opener: 'ReferenceError',
      origin: 'null',
    },
  });
  await nothingWentOut();
});

it('the code cannot even send requests to the site that it came from', async () => {
  // Requests that a policy blocked are reported too, but they were never sent.
  const asked: string[] = [];
  const left = page.context();
  left.on('request', (request) => asked.push(request.url()));
  left.on('requestfailed', (request) => {
    if (request.failure()?.errorText === 'csp') asked.splice(asked.indexOf(request.url()), 1);
  });
  const code = `const refused = [];
    self.addEventListener('securitypolicyviolation', (event) => refused.push(event.effectiveDirective));
    function f() {
      import('${served.url}secret').catch(() => {});
      try { importScripts('${served.url}secret'); } catch (error) { return error.name; }
    }`;
  const { result } = await run('javascript', code);
  expect(result.cases[0]?.value).toBe('NetworkError');
  // A request that is made now, and is seen, shows that one of the code would have been seen.
  await page.evaluate((url) => fetch(url), `${served.url}index.html?witness`);
  await expect.poll(() => asked.filter((url) => url.includes('witness'))).toHaveLength(1);
  expect(asked.filter((url) => url.includes('secret'))).toEqual([]);
});

it('Python code has no bridge to JavaScript, and so reaches nothing either', async () => {
  // The module `js` is the scope of JavaScript, and `constructor` leads from any value to what makes code from text.
  const code = `def f():
    import js
    import jsffi
    import _host
    found = [name for name in dir(js)]
    values = {"js": js, "_host": _host, "write": _host.write, "array": jsffi.to_js([1]),
              "object": jsffi.to_js({"a": 1}), "function": jsffi.create_proxy(f)}
    for value in values:
        for name in ["constructor", "__proto__", "globalThis", "self", "fetch", "Function", "apply"]:
            if getattr(values[value], name, None) is not None:
                found.append(value + "." + name)
    return found
`;
  const { result } = await run('python', code);
  expect(result.cases).toMatchObject([{ value: [] }]);
  await nothingWentOut();
});

it('a figure follows the newest call, is stopped when too slow, and recovers', async () => {
  const answers = await page.evaluate(async () => {
    const { box } = window;
    const code = 'def f(n):\n    while n > 100: pass\n    return 2 * n\n';
    const loaded = await box.load({ language: 'python', code, entry: 'f', parameters: [] });
    const several = await Promise.all([1, 2, 3, 4].map((n) => box.call([n])));
    const slow = await box.call([101]);
    const after = await box.call([7]);
    const broken = await box.load({
      language: 'python',
      code: 'def f(:',
      entry: 'f',
      parameters: [],
    });
    const nothing = await box.call([7]);
    return { loaded, several, slow, after, broken, nothing };
  });
  expect(answers.loaded).toEqual({ prints: '' });
  expect(answers.several.map((one) => one?.value)).toEqual([2, undefined, undefined, 8]);
  expect(answers.slow).toMatchObject({ error: { type: 'TimeLimit' } });
  expect(answers.after).toMatchObject({ value: 14 });
  expect(answers.broken.loadError?.type).toBe('SyntaxError');
  expect(answers.nothing).toBeUndefined();
});

describe('what a call leaves running ends with it', () => {
  const wait = 'const end = performance.now() + 20; while (performance.now() < end);';
  const left: Record<string, string> = {
    'a microtask': 'queueMicrotask(() => ++ticks);',
    'a promise': '(async () => { await 0; ++ticks; })();',
    'a timer by another name': "globalThis['set' + 'Interval'](() => ++ticks, 0);",
    'a channel that asks itself': `const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { ++ticks; port2.postMessage(0); };
      port2.postMessage(0);`,
  };
  for (const [name, begin] of Object.entries(left)) {
    it(name, async () => {
      const code = `let ticks = 0;\nfunction f() { const before = ticks; ${begin} ${wait} return before; }`;
      const cases = [0, 1, 2, 3].map(() => ({ args: [] }));
      const { result } = await run('javascript', code, { cases });
      expect(result.cases.map(({ value }) => value)).toEqual([0, 0, 0, 0]);
      const drawn = await page.evaluate(async (code) => {
        const { box } = window;
        await box.load({ language: 'javascript', code, entry: 'f', parameters: [] });
        const values = [];
        for (let i = 0; i < 4; ++i) {
          values.push((await box.call([]))?.value);
          // Only a time can show that nothing goes on meanwhile: no state says that there is nothing.
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return values;
      }, code);
      expect(drawn).toEqual([0, 0, 0, 0]);
    });
  }

  it('and code that leaves nothing goes on where it was', async () => {
    const code = 'let calls = 0;\nfunction f() { return Matrix.zeros(1, 1).rows + calls++; }';
    const cases = [0, 1, 2].map(() => ({ args: [] }));
    const { result } = await run('javascript', code, { cases });
    expect(result.cases.map(({ value }) => value)).toEqual([1, 2, 3]);
    const python =
      'import numpy as np\ncalls = 0\ndef f():\n    global calls\n    calls += 1\n    return calls + float(np.random.rand(2, 2).sum() * 0)\n';
    const other = await run('python', python, { cases });
    expect(other.result.cases.map(({ value }) => value)).toEqual([1, 2, 3]);
  });
});

it('restart stops a run, opens another frame, and what a figure has loaded stays', async () => {
  const results = await page.evaluate(async () => {
    const { box } = window;
    const job = (code: string) =>
      ({ language: 'python', code, entry: 'f', cases: [{ args: [] }], parameters: [] }) as const;
    const double = 'def f(n):\n    return 2 * n\n';
    await box.load({ language: 'python', code: double, entry: 'f', parameters: [] });
    await box.call([1]);
    const frame = document.querySelector('iframe');
    const running = box.run(job('def f():\n    while True: pass\n'));
    await window.underway();
    box.restart();
    const stopped = await running;
    const [called, next] = [await box.call([4]), await box.run(job('def f():\n    return 3\n'))];
    const frames = [...document.querySelectorAll('iframe')];
    return [
      stopped.stopped,
      called?.value,
      next.cases[0]?.value,
      frames.length,
      frames[0] !== frame,
    ];
  });
  expect(results).toEqual(['user', 8, 3, 1, true]);
});

it('reuses one interpreter for our own code, and never for a student’s', async () => {
  const values = await page.evaluate(async () => {
    const { box } = window;
    const run = async (code: string, ours: boolean) => {
      const job = {
        language: 'python',
        code,
        entry: 'f',
        cases: [{ args: [] }],
        parameters: [],
        ours,
      };
      const { cases, loadError } = await box.run(job as never);
      return loadError ?? cases[0]?.error?.type ?? cases[0]?.value;
    };
    return [
      await run('def f():\n    return 1\n', true),
      await run('def f():\n    return 2\n', true),
      await run('def f():\n    return g()\n', true),
      await run('def g():\n    return 3\ndef f():\n    return g()\n', false),
      await run('def f():\n    return g()\n', false),
    ];
  });
  expect(values).toEqual([1, 2, 'NameError', 3, 'NameError']);
});

it('a script can import the modules of the course, an exercise cannot', async () => {
  const result = await page.evaluate(() =>
    window.box.run({
      language: 'python',
      code: 'from feature_maps import relu_feature_map\nimport numpy as np\nprint(relu_feature_map(np.array([[-1.0, 2.0]])))\n',
      entry: '',
      cases: [],
      parameters: [],
    }),
  );
  expect(result).toEqual({ prints: '[[0. 2.]]\n', cases: [] });
  const cheat = await run('python', 'from feature_maps import relu_feature_map as f\n');
  expect(cheat.result.loadError?.type).toMatch(/ImportError|ModuleNotFoundError/);
});

it('notices that the frame is gone, says so, and opens another', async () => {
  const results = await page.evaluate(async () => {
    const job = (code: string) =>
      ({
        language: 'javascript',
        code,
        entry: 'f',
        cases: [{ args: [] }],
        parameters: [],
      }) as const;
    const { box } = window;
    await box.run(job('function f() { return 1; }'));
    // This leaves what is left of a frame whose process ran out of memory: nothing answers.
    const running = box.run(job('function f() { while (true); }'), {
      deadlines: [{ cases: 1, seconds: 60 }],
    });
    await window.underway();
    document.querySelector('iframe')?.remove();
    const lost = await running;
    return [lost, await box.run(job('function f() { return 3; }'))];
  });
  expect(results).toMatchObject([
    { stopped: 'crash', cases: [{ error: { type: 'Crash' } }] },
    { cases: [{ value: 3 }] },
  ]);
});

it('runs offline once its files have been fetched', async () => {
  const context = await browser.newContext();
  const visitor = await context.newPage();
  await visitor.goto(`${served.url.replace(/ /g, '%20')}index.html`);
  await visitor.waitForFunction(() => 'createSandbox' in window);
  await visitor.evaluate(async () => {
    window.box = window.createSandbox();
    await Promise.all([window.box.prefetch('python'), window.box.prefetch('javascript')]);
  });
  await context.setOffline(true);
  for (const [language, code] of [
    ['python', 'def f():\n    return 1\n'],
    ['javascript', 'function f() { return 1; }'],
  ] as const) {
    for (let time = 0; time < 2; ++time) {
      const result = await visitor.evaluate((job) => window.box.run(job as never), {
        language,
        code,
        entry: 'f',
        cases: [{ args: [] }],
        parameters: [],
      });
      expect(result).toMatchObject({ cases: [{ value: 1 }] });
    }
  }
  await context.close();
});

describe('a policy that forbids it', () => {
  const refusedBy = async (csp: string) => {
    const strict = await site.open(csp);
    try {
      const visitor = await openPage(strict.url);
      const code = { javascript: 'function f() { return 1; }', python: 'def f():\n    return 1\n' };
      const job = { entry: 'f', cases: [], parameters: [] };
      const jobs = languages.map((language) => ({ ...job, language, code: code[language] }));
      return await visitor.evaluate(async (jobs) => {
        const said: string[] = [];
        for (const job of jobs) {
          const answer = window.box.run(job as never).then(
            () => 'ran',
            (error) => `${error.code}: ${error.message}`,
          );
          said.push(await answer);
        }
        return said;
      }, jobs);
    } finally {
      await strict.close();
      // The browser reports the refusal in the console too.
      errors.length = 0;
    }
  };

  it.each([
    ['WebAssembly', strictCsp.replace(" 'wasm-unsafe-eval'", '')],
    ['workers from blobs', strictCsp.replace("worker-src 'self' blob:", "worker-src 'self'")],
  ])('is named, and no code runs: %s', async (_, csp) => {
    const named = /^policy: .*Content-Security-Policy.*worker-src blob:/;
    const matching = expect.stringMatching(named);
    expect(await refusedBy(csp)).toEqual([matching, matching]);
  });

  it('may forbid all frames from files: ours is a text', async () => {
    expect(await refusedBy(`${strictCsp}; frame-src 'none'`)).toEqual(['ran', 'ran']);
  });
});

describe('a server that gives its files only to who has logged in', () => {
  /** A course system: without its cookie, every address answers with the page for logging in. */
  async function behindLogin(csp: string) {
    const inner = await site.open(csp);
    const server = createHttpServer(async (request, response) => {
      const path = request.url ?? '/';
      if (path === '/login') {
        response.writeHead(204, {
          'Set-Cookie': 'MoodleSession=1; Path=/; HttpOnly; SameSite=Lax',
        });
        response.end();
        return;
      }
      if (!request.headers.cookie?.includes('MoodleSession=1')) {
        response.writeHead(200, { 'Content-Type': 'text/html' });
        response.end('<!doctype html><title>Log in to the site</title>');
        return;
      }
      const answer = await fetch(new URL(path, inner.url));
      // A course system does not know every file by its name.
      const type = /\.wasm$/.test(path) ? 'document/unknown' : answer.headers.get('content-type');
      response.writeHead(answer.status, {
        ...(type && { 'Content-Type': type }),
        ...(csp && { 'Content-Security-Policy': csp }),
      });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    return {
      origin: `http://127.0.0.1:${port}`,
      page: `http://127.0.0.1:${port}${new URL(inner.url).pathname}`,
      async close() {
        server.closeAllConnections();
        server.close();
        await inner.close();
      },
    };
  }

  it.each([
    ['without a policy', ''],
    ['under the policy of the README', strictCsp],
  ])('%s: code runs', async (_, csp) => {
    const course = await behindLogin(csp);
    const context = await browser.newContext();
    try {
      const visitor = await context.newPage();
      visitor.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) errors.push(message.text());
      });
      await visitor.goto(`${course.origin}/login`).catch(() => undefined);
      await visitor.goto(`${course.page}index.html`);
      await visitor.waitForFunction(() => 'createSandbox' in window);
      const values = await visitor.evaluate(async () => {
        const box = window.createSandbox();
        const job = { entry: 'f', cases: [{ args: [] }], parameters: [] } as const;
        const javascript = 'function f() { return 41; }';
        const python = 'def f():\n    return 42\n';
        return [
          await box.run({ ...job, language: 'javascript', code: javascript }),
          await box.run({ ...job, language: 'python', code: python }),
        ].map(({ cases }) => cases[0]?.value);
      });
      expect(values).toEqual([41, 42]);
    } finally {
      await context.close();
      await course.close();
    }
  });
});

it('the policy of the README names the script of the frame, and one without its hash does as well', async () => {
  const script = readFileSync(new URL('../../web/public/sandbox/frame.js', import.meta.url));
  const hash = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  expect(strictCsp).toContain(` ${hash}`);
  // A host may have been set up with the script of another version.
  const older = await site.open(strictCsp.replace(` ${hash}`, ''));
  try {
    const visitor = await openPage(older.url);
    const result = await visitor.evaluate(() =>
      window.box.run({
        language: 'javascript',
        code: 'function f() { return 1; }',
        entry: 'f',
        cases: [{ args: [] }],
        parameters: [],
      }),
    );
    expect(result.cases).toMatchObject([{ value: 1 }]);
    await visitor.close();
  } finally {
    await older.close();
    // The browser says that it refused the script within the page; the one in the file ran.
    expect(errors.splice(0)).toEqual([expect.stringMatching(/inline script/)]);
  }
});
