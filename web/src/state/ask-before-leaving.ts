/**
 * The browser asks before the page is left, while something would be lost. A frame with a `sandbox` attribute that
 * lacks `allow-modals` cannot ask; there the page's own words have to do.
 *
 * @param save stores what it can at once; whether nothing would be lost after that.
 */
export function askBeforeLeaving(save: () => boolean): void {
  addEventListener('beforeunload', (event) => {
    if (!save()) event.preventDefault();
  });
}
