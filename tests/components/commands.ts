/** Commands that a test in the browser sends to the browser's driver. */
import type { BrowserCommand } from 'vitest/node';

export interface Media {
  readonly colorScheme?: 'light' | 'dark';
  readonly forcedColors?: 'active' | 'none';
  readonly media?: 'print' | 'screen';
  readonly reducedMotion?: 'reduce' | 'no-preference';
}

/** Sets the media of the page. Each test file has a browser context of its own, so no other file is affected. */
export const emulateMedia: BrowserCommand<[media: Media]> = ({ page }, media) =>
  page.emulateMedia(media);

declare module 'vitest/browser' {
  interface BrowserCommands {
    emulateMedia: (media: Media) => Promise<void>;
  }
}
