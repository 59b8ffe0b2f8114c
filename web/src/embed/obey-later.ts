/**
 * What else the page around may ask of the page in its frame, and what may come a little later than the first picture: how
 * it looks, and to hand over what was done because the frame is about to be taken away.
 */
import { showTheme } from '../styles/theme.ts';

const THEMES = ['auto', 'light', 'dark'] as const;
const [SMALLEST, LARGEST] = [50, 300];

/** @param handOver resolves when all that was done here has been handed over or kept */
export function obeyLater(handOver: () => Promise<void>): void {
  const host = window.parent;
  if (host === window) return;
  const say = (type: string): void => host.postMessage({ type: `attention-labs:${type}` }, '*');
  window.addEventListener('message', ({ source, data }: MessageEvent) => {
    if (source !== host) return;
    if (data?.type === 'attention-labs:look') {
      // A choice of the page around, which is not the reader's and is not kept.
      const theme = THEMES.find((one) => one === data.theme);
      if (theme) showTheme(theme);
      const size = Number.parseFloat(data.size);
      document.documentElement.style.fontSize =
        size >= SMALLEST && size <= LARGEST ? `${size}%` : '';
    }
    if (data?.type === 'attention-labs:park') {
      const parked = (): void => say('parked');
      void handOver().then(parked, parked);
    }
  });
  // What was asked before was not heard.
  say('hello');
}
