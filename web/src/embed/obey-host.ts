/**
 * What the page around may ask of the page in its frame, beside its height: to show something else. It may ask for what
 * it could also have put into the address of the frame, and for nothing more; it is told that the page is there and
 * when it has drawn, and nothing of what is on it.
 */

/** As long as an address may be (state/long-values.ts). */
const LONGEST = 4096;
const LOOK_EVERY = 150;

/** What a page has once it has drawn. */
export const DRAWN = '[data-drawn], attn-exercise .run-button';

const hidden = (search: string): string => new URLSearchParams(search).get('hide') ?? '';

/** The pairs, whatever their order and their spelling. */
function pairsOf(search: string): string {
  const pairs = new URLSearchParams(search);
  pairs.sort();
  return `${pairs}`;
}

export function obeyHost(): void {
  const host = window.parent;
  if (host === window) return;
  // Neither is a secret, and the address of the page around is not known here.
  const say = (type: string): void => host.postMessage({ type: `attention-labs:${type}` }, '*');

  window.addEventListener('message', ({ source, data }: MessageEvent) => {
    if (source !== host || data?.type !== 'attention-labs:set') return;
    const { search, step } = data;
    if (typeof search === 'string' && search.length <= LONGEST && /^(?:\?|$)/.test(search)) {
      const { pathname, hash, search: before } = location;
      if (pairsOf(search) !== pairsOf(before)) {
        const address = `${pathname}${search}${hash}`;
        // The outline and the steps of a lab are made once.
        if (hidden(search) !== hidden(before)) {
          location.replace(address);
          return;
        }
        history.replaceState(history.state, '', address);
        dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
      }
    }
    // A hash may also hold code, which nobody but the reader puts there.
    if (typeof step === 'string' && /^[\w-]+$/.test(step)) location.replace(`#${step}`);
  });

  say('hello');
  const look = (): void => {
    if (document.querySelector(DRAWN)) say('drawn');
    else setTimeout(look, LOOK_EVERY);
  };
  look();
}
