/** Whether what would lie over the page unfolds in its place. */
export const unfoldsInPlace = (): boolean =>
  document.documentElement.matches('[data-grown], [data-unfolded]') ||
  !('showPopover' in HTMLElement.prototype);

/**
 * Shows or hides a popover. It unfolds in its place instead where a page is as tall as its frame, because there is no
 * window to lie over (`data-grown`), and where all of a page is wanted at once (`data-unfolded`).
 */
export function showPopover(element: Element | undefined, open: boolean): void {
  if (!(element instanceof HTMLElement)) return;
  if (unfoldsInPlace()) element.removeAttribute('popover');
  // The element may just have been made, and not be on the page yet.
  queueMicrotask(() => {
    if (!element.isConnected || !element.hasAttribute('popover')) return;
    const shown = element.matches(':popover-open');
    if (open && !shown) element.showPopover();
    if (!open && shown) element.hidePopover();
  });
}
