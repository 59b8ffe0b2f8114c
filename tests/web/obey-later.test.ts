/** What a page in a frame lets the page around ask later: its looks, and to hand over its work. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const host = { postMessage: vi.fn() };
const root = { dataset: {} as Record<string, string>, style: { fontSize: '' } };
let hear: (event: unknown) => void = () => undefined;

beforeEach(() => {
  root.dataset = {};
  root.style.fontSize = '';
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
  vi.stubGlobal('document', { documentElement: root });
  vi.stubGlobal('window', {
    parent: host,
    addEventListener: (_: string, act: typeof hear) => {
      hear = act;
    },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

async function obeying(handOver: () => Promise<void> = async () => undefined): Promise<void> {
  const { obeyLater } = await import('../../web/src/embed/obey-later');
  obeyLater(handOver);
}
const ask = (data: unknown, source: unknown = host): void => hear({ source, data });
const look = (more: object) => ({ type: 'attention-labs:look', ...more });
const said = () => host.postMessage.mock.calls.map(([{ type }]) => type);

it('looks as it is told, and greets so that it is told', async () => {
  await obeying();
  expect(said()).toEqual(['attention-labs:hello']);
  ask(look({ theme: 'dark', size: '120%' }));
  expect([root.dataset.theme, root.style.fontSize]).toEqual(['dark', '120%']);
  // What is not said of the theme stays the reader's.
  ask(look({ theme: null, size: null }));
  expect([root.dataset.theme, root.style.fontSize]).toEqual(['dark', '']);
  ask(look({ theme: 'auto' }));
  expect(root.dataset).toEqual({});
});

it.each<[string, unknown, unknown?]>([
  ['another window', look({ theme: 'dark', size: 200 }), {}],
  ['nobody', look({ theme: 'dark', size: 200 }), null],
  ['a theme that is none', look({ theme: 'evil' })],
  ['a size that is none', look({ size: 'calc(1px)' })],
  ['a size that nobody reads', look({ size: 10 })],
  ['a size that hides the page', look({ size: 1e9 })],
  ['nothing', null],
])('ignores %s', async (_, data, source = host) => {
  await obeying();
  ask(data, source);
  expect([root.dataset, root.style.fontSize]).toEqual([{}, '']);
});

it('says that it is parked when its work is handed over, and also when that fails', async () => {
  let end: () => void = () => undefined;
  await obeying(
    () =>
      new Promise<void>((done) => {
        end = done;
      }),
  );
  ask({ type: 'attention-labs:park' }, {});
  ask({ type: 'attention-labs:park' });
  await Promise.resolve();
  expect(said()).toEqual(['attention-labs:hello']);
  end();
  await vi.waitFor(() => expect(said()).toEqual(['attention-labs:hello', 'attention-labs:parked']));
  await obeying(() => Promise.reject(new Error('no storage')));
  ask({ type: 'attention-labs:park' });
  await vi.waitFor(() => expect(said().at(-1)).toBe('attention-labs:parked'));
});
