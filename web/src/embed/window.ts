/**
 * What this page knows of its window. In the frame of a page that makes the frame as tall as it was told, the window's
 * height follows from the page's own, so no length on the page may follow from the window's: style sheets use
 * `--window-height` (styles/tokens.css), and everything else asks here what a reader sees of it.
 */

/** A frame that is lower than the page by no more than this hides nothing but the end of the page's own margin. */
export const SLACK = 16;

/** Where a window ends, for what is to be seen in it. */
export const windowBottom = (): number => window.innerHeight;

/** Whether the page scrolls in its own window, and not the page around it. */
export function scrollsItself(): boolean {
  const { clientHeight, scrollHeight } = document.documentElement;
  return window.parent === window || scrollHeight > clientHeight + SLACK;
}
