/** What a test in the browser asks the browser's driver to do. */
import type { BrowserCommand } from 'vitest/node';

export interface Media {
  readonly colorScheme?: 'light' | 'dark';
  readonly forcedColors?: 'active' | 'none';
  readonly media?: 'print' | 'screen';
  readonly reducedMotion?: 'reduce' | 'no-preference';
}

/** The page's media, for the file's page only: each file has a context of its own. */
export const emulateMedia: BrowserCommand<[media: Media]> = ({ page }, media) =>
  page.emulateMedia(media);

declare module 'vitest/browser' {
  interface BrowserCommands {
    emulateMedia: (media: Media) => Promise<void>;
  }
}
