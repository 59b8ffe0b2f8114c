/** The instructor's page: a link of the site becomes lines to paste, and each of them leads to the same lab again. */

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import anywidget, { type Model } from '../../web/adapters/anywidget';
import { embedState } from '../../web/pages/embed/link-state';
import { countedOf, listOf, withCounted, withListed } from '../../web/pages/embed/query-lists';
import { type Embedding, SNIPPETS } from '../../web/pages/embed/snippets';
import { addressOf } from '../../web/src/embed/element/address';
import { embedAddress, embeddedBy } from '../../web/src/embed/to-embed';
import { gradedLab } from '../tools/readme.mjs';

const SITE = 'https://host.example/a%20course/';
const one = (more: Partial<Embedding> = {}): Embedding => ({
  ...{ site: SITE, language: 'en', lab: 'kernels', exercise: '', step: '', query: '' },
  ...{ title: 'Kernels', height: 800, width: 0 },
  ...more,
});

/** The attributes of the first tag of that name, as a browser reads them. */
function attributesOf(markup: string, tag: string): (readonly [string, string])[] {
  const [, inside = ''] =
    new RegExp(`<${tag}((?:\\s+[\\w:.-]+="[^"]*")*)\\s*/?>`).exec(markup) ?? [];
  const unescaped = (text: string): string =>
    text
      .replace(/&lt;/g, '<')
      .replace(/&quot;/g, '"')
      .replace(/&amp;/g, '&');
  return [...inside.matchAll(/([\w:.-]+)="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, unescaped(value)] as const,
  );
}
const attribute = (markup: string, tag: string, name: string) =>
  new Map(attributesOf(markup, tag)).get(name);
const whole = (asked: ReturnType<typeof addressOf>) =>
  asked && asked.page + asked.search + asked.hash;

const cases: readonly Embedding[] = [
  one(),
  one({ step: 'bandwidth', language: 'de', width: 600 }),
  one({ query: 'map=relu&D=3&hide=seed,scale&text=%3Ca+href%3D%22%22%3E+%26amp' }),
  one({ lab: '', exercise: 'stable-softmax', query: 'in=javascript&hide=solution' }),
];

describe.each(cases)('%o', (embedding) => {
  const link = SNIPPETS.link(embedding);
  const same = (address = ''): void => {
    const [a, b] = [new URL(address), new URL(link)];
    a.searchParams.sort();
    b.searchParams.sort();
    expect(a.href).toBe(b.href);
  };

  it('a frame, in HTML and in PreTeXt', () => {
    same(attribute(SNIPPETS.iframe(embedding), 'iframe', 'src'));
    expect(attribute(SNIPPETS.iframe(embedding), 'iframe', 'allow')).toBe('clipboard-write');
    same(attribute(SNIPPETS.pretext(embedding), 'interactive', 'iframe'));
  });

  it.each(['element', 'graded', 'quarto', 'sphinx'] as const)('the element, for %s', (id) => {
    const markup = SNIPPETS[id](embedding);
    expect(attribute(markup, 'script', 'src') ?? /src="([^"]+)"/.exec(markup)?.[1]).toBe(
      `${SITE}attention-lab.js`,
    );
    same(whole(addressOf(attributesOf(markup, 'attention-lab'), SITE)));
    // Without scripts a link stands there.
    same(attribute(markup, 'a', 'href'));
  });

  it('the directive of MyST', () => {
    const [head = '', ...body] = SNIPPETS.myst(embedding).split('\n');
    expect(head).toBe(`:::{anywidget} ${SITE}attention-lab.anywidget.js`);
    expect(body.pop()).toBe(':::');
    const model = JSON.parse(body.join('\n')) as Record<string, string>;
    const { base = '', title, height, ...asked } = model;
    expect([title, height]).toEqual([embedding.title, embedding.height]);
    same(whole(addressOf(Object.entries(asked), base)));
  });

  it('the address of this page leads back to it', () => {
    const { lab, exercise, step, query } = embedding;
    expect(embeddedBy(link)).toMatchObject({ lab, exercise, step, query });
    const page = new URL(embedAddress(link));
    expect(page.pathname.endsWith('/pages/embed/index.html')).toBe(true);
    const { state, problems } = embedState.parse(page.search);
    expect(problems).toEqual([]);
    expect(state).toMatchObject({ lab, exercise, step, query });
  });
});

it('the lines with a grade are those of the README', () => {
  const embedding = one({
    ...{ site: 'https://your.site/attention-labs/', step: 'called' },
    query: 'exercises=gram-matrix',
  });
  expect(gradedLab()).toBe(`${SNIPPETS.graded(embedding)}\n`);
  // In German they say so in German, and every place of the script is the element's.
  const german = SNIPPETS.graded(one({ language: 'de', lab: '', exercise: 'gram-matrix' }));
  expect(german).toContain('nicht begonnen');
  expect(new Set(german.match(/attention-gram-matrix(?:-grade)?/g))).toEqual(
    new Set(['attention-gram-matrix', 'attention-gram-matrix-grade']),
  );
});

it('keeps any query as it is', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-zA-Z][\w.]{0,8}$/), fc.string({ unit: 'grapheme' })),
      (pairs) => {
        for (const taken of ['v', 'id', 'hide', 'lock', 'lab', 'step']) delete pairs[taken];
        const query = `${new URLSearchParams(pairs)}`;
        const markup = SNIPPETS.element(one({ query }));
        const asked = addressOf(attributesOf(markup, 'attention-lab'), SITE);
        const read = new URLSearchParams(asked?.search);
        read.delete('v');
        expect(Object.fromEntries(read)).toEqual(pairs);
      },
    ),
  );
});

it('of an exercise no code goes along', () => {
  const link = `${SITE}pages/exercises/?v=1&id=stable-softmax#code=abc`;
  expect(embedAddress(link)).toBe(`${SITE}pages/embed/index.html?v=1&exercise=stable-softmax`);
  expect(embeddedBy(`${SITE}pages/speed/index.html`)).toBeUndefined();
  expect(embedAddress(`${SITE}de/labs/kernels/`)).toBe(
    `${SITE}de/pages/embed/index.html?v=1&lab=kernels`,
  );
});

it('hides and locks by name, and nothing else changes', () => {
  const query = 'map=relu&n=64&lock=n';
  const hidden = withListed(withListed(query, 'hide', 'seed', true), 'hide', 'curve.n', true);
  expect(listOf(hidden, 'hide')).toEqual(['seed', 'curve.n']);
  expect(hidden).toBe('map=relu&n=64&lock=n&hide=seed,curve.n');
  expect(withListed(hidden, 'hide', 'seed', true)).toBe('map=relu&n=64&lock=n&hide=curve.n,seed');
  expect(withListed(withListed(hidden, 'hide', 'seed', false), 'hide', 'curve.n', false)).toBe(
    query,
  );
});

it('says what counts only where that is not everything', () => {
  const offered = { steps: ['a', 'b'], exercises: ['x', 'y'] };
  expect(countedOf('n=8', offered)).toEqual(offered);
  const less = withCounted('n=8', offered, 'exercises', 'x', false);
  expect(less).toBe('n=8&steps=a,b&exercises=y');
  expect(countedOf(less, offered)).toEqual({ steps: ['a', 'b'], exercises: ['y'] });
  // A step that is not offered any more counts no more either.
  expect(countedOf(less, { ...offered, steps: ['b'] })).toEqual({ steps: ['b'], exercises: ['y'] });
  expect(withCounted(less, offered, 'exercises', 'x', true)).toBe('n=8');
  const none = [...offered.steps.map((id) => ['steps', id] as const), ['exercises', 'y'] as const];
  const empty = none.reduce(
    (query, [kind, id]) => withCounted(query, offered, kind, id, false),
    less,
  );
  expect(countedOf(empty, offered)).toEqual({ steps: [], exercises: [] });
});

describe('the anywidget', () => {
  /** What MyST's theme gives: every method but `get` throws (packages/anywidget/src of myst-theme). */
  const ofMyst = (values: Record<string, unknown>): Model => {
    const refuse = (): never => {
      throw new Error('not implemented');
    };
    return {
      get: (name) => values[name],
      set: refuse,
      save_changes: refuse,
      on: refuse,
      off: refuse,
    };
  };
  /** The frame, what was posted into it, and how it answers. */
  function drawn(model: Model) {
    const posted: unknown[] = [];
    const frame = {
      style: {} as Record<string, string>,
      src: '',
      remove: vi.fn(),
      contentWindow: { postMessage: (...message: unknown[]) => posted.push(message) },
    };
    const heard = new Set<(event: unknown) => void>();
    vi.stubGlobal('document', { createElement: () => frame });
    vi.stubGlobal('addEventListener', (_: string, act: () => void) => heard.add(act));
    vi.stubGlobal('removeEventListener', (_: string, act: () => void) => heard.delete(act));
    const el = { append: vi.fn(), textContent: '' };
    const end = anywidget.render({ model, el: el as unknown as HTMLElement });
    const say = (data: unknown, more: object = {}): void => {
      const event = { source: frame.contentWindow, origin: new URL(SITE).origin, data, ...more };
      for (const act of heard) act(event);
    };
    return { frame, el, posted, say, end, heard };
  }

  it('draws under MyST, follows the height of its own frame, and keeps no work', () => {
    const model = ofMyst({ base: SITE, lab: 'kernels', lang: 'de', query: 'n=8', height: 500 });
    const { frame, el, posted, say, end, heard } = drawn(model);
    expect(frame.src).toBe(`${SITE}de/labs/kernels/index.html?v=1&n=8`);
    expect(frame.style.height).toBe('500px');
    expect(el.append).toHaveBeenCalledWith(frame);
    const height = { type: 'attention-labs:height', height: 1234 };
    say(height, { source: {} });
    say(height, { origin: 'https://evil.example' });
    expect(frame.style.height).toBe('500px');
    say(height);
    expect(frame.style.height).toBe('1234px');
    // Who cannot keep work does not say so.
    say({ subject: 'SPLICE.getState', message_id: 1 });
    say({ subject: 'SPLICE.reportScoreAndState', message_id: 2, score: 1, state: 's' });
    expect(posted).toEqual([]);
    end();
    expect(heard.size).toBe(0);
  });

  it('keeps work in a model of Jupyter, and changes by message', () => {
    const values: Record<string, unknown> = { base: SITE, lab: 'kernels', state: null };
    const changed = new Map<string, () => void>();
    const saved = vi.fn();
    const { frame, posted, say } = drawn({
      get: (name) => values[name],
      set: (name, value) => {
        values[name] = value;
      },
      save_changes: saved,
      on: (event, act) => void changed.set(event, act),
      off: (event) => void changed.delete(event),
    });
    const { origin } = new URL(SITE);
    say({ subject: 'SPLICE.getState', message_id: 7 });
    expect(posted).toEqual([
      [{ subject: 'SPLICE.getState.response', message_id: 7, state: null }, origin],
    ]);
    say({ subject: 'SPLICE.reportScoreAndState', message_id: 8, score: null, state: 'a' });
    expect([values.state, values.score]).toEqual(['a', undefined]);
    say({ subject: 'SPLICE.reportScoreAndState', message_id: 9, score: 0.5, state: 'b' });
    expect([values.state, values.score]).toEqual(['b', 0.5]);
    expect(saved).toHaveBeenCalledTimes(2);
    values.query = 'n=9';
    const { src } = frame;
    changed.get('change:query')?.();
    expect(frame.src).toBe(src);
    expect(posted.at(-1)).toEqual([
      { type: 'attention-labs:set', search: '?v=1&n=9', step: '' },
      origin,
    ]);
  });
});
