/**
 * What this page knows of its window. In the frame of a page that makes the frame as tall as it was told, the window's
 * height follows from the page's own, so no length on the page may follow from the window's: style sheets use
 * `--window-height` (styles/tokens.css), and everything else asks here what a reader sees of it.
 */

/** A frame that is lower than the page by no more than this hides nothing but the end of the page's own margin. */
export const SLACK = 16;

/** Where a window ends, for what is to be seen in it. */
export const windowBottom = (): number => window.innerHeight;

/** How finely the part of the page that is seen is told, as shares of its length. */
const SHARES = Array.from({ length: 201 }, (_, i) => i / 200);

/**
 * Resolves once half of what the reader sees of the page around is this page, or half of this page is seen. Of the window
 * around nothing is known here but the screen that it is on.
 */
export function isBeforeReader(): Promise<void> {
  return new Promise((resolve) => {
    const watch = new IntersectionObserver(
      (entries) => {
        const seen = entries.at(-1)?.intersectionRect.height ?? 0;
        if (seen < Math.min(window.innerHeight, window.screen.availHeight) / 2) return;
        watch.disconnect();
        resolve();
      },
      { threshold: SHARES },
    );
    watch.observe(document.documentElement);
  });
}

/** Whether the page scrolls in its own window, and not the page around it. */
export function scrollsItself(): boolean {
  const { clientHeight, scrollHeight } = document.documentElement;
  return window.parent === window || scrollHeight > clientHeight + SLACK;
}
