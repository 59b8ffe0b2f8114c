/**
 * A lab as an anywidget: in MyST's `{anywidget}` directive, in Jupyter and in marimo. Built as one file
 * (plugins/element.ts), which MyST copies into the book without its neighbours: so it is told where the site is (`base`),
 * and makes the frame itself.
 *
 * Of the model it reads `base`, `lab` or `exercise`, `step`, `query`, `lang`, `title`, `height`, and `state`. A model that has
 * `state`, be it `null`, keeps the student's work; MyST's cannot, so its pages leave it out.
 */
import { addressOf } from '../src/embed/element/address.ts';

export interface Model {
  get(name: string): unknown;
  /** MyST's model throws at all but `get`. */
  set?(name: string, value: unknown): void;
  save_changes?(): void;
  on?(event: string, act: () => void): void;
  off?(event: string, act: () => void): void;
}

const NAMES = ['lab', 'exercise', 'step', 'query', 'lang'] as const;
const TALLEST = 60_000;

function render({ model, el }: { readonly model: Model; readonly el: HTMLElement }): () => void {
  const said = (name: string): string => String(model.get(name) ?? '');
  const asked = () =>
    addressOf(
      NAMES.map((name) => [name, said(name)] as const),
      said('base'),
    );
  const frame = document.createElement('iframe');
  let shown = asked();
  if (!shown) {
    el.textContent = `Attention Labs: no lab at ${said('base') || 'an empty base'}`;
    return () => undefined;
  }
  const post = (message: object): void =>
    frame.contentWindow?.postMessage(message, new URL(shown?.page ?? '').origin);
  const hear = ({ source, origin, data }: MessageEvent): void => {
    if (source !== frame.contentWindow || origin !== new URL(shown?.page ?? '').origin) return;
    if (data?.type === 'attention-labs:height' && data.height > 0) {
      frame.style.height = `${Math.min(data.height, TALLEST)}px`;
    }
    const state = model.get('state');
    if (state === undefined) return;
    if (data?.subject === 'SPLICE.getState') {
      post({ subject: 'SPLICE.getState.response', message_id: data.message_id, state });
    }
    if (data?.subject === 'SPLICE.reportScoreAndState') {
      model.set?.('state', data.state);
      if (data.score !== null) model.set?.('score', data.score);
      model.save_changes?.();
    }
  };
  const follow = (): void => {
    const next = asked();
    if (!next || !shown) return;
    const moved = next.page !== shown.page;
    const step = next.hash === shown.hash ? '' : next.hash.slice(1);
    shown = next;
    if (moved) frame.src = next.page + next.search + next.hash;
    else post({ type: 'attention-labs:set', search: next.search, step });
  };
  const listen = (how: 'on' | 'off'): void => {
    try {
      for (const name of NAMES) model[how]?.(`change:${name}`, follow);
    } catch {
      // MyST's model never changes.
    }
  };
  frame.title = said('title') || `Attention Labs: ${said('lab') || said('exercise')}`;
  frame.allow = 'clipboard-write';
  frame.loading = 'lazy';
  Object.assign(frame.style, {
    width: '100%',
    border: '0',
    height: `${Number(model.get('height')) || 800}px`,
  });
  addEventListener('message', hear);
  frame.src = shown.page + shown.search + shown.hash;
  el.append(frame);
  listen('on');
  return () => {
    removeEventListener('message', hear);
    listen('off');
    frame.remove();
  };
}

export default { render };
