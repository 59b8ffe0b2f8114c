/**
 * Makes the browser ask before the page is left while something would be lost. A frame with a `sandbox` attribute
 * that lacks `allow-modals` cannot ask; the page itself has to say it there.
 *
 * @param save stores what it can at once, and returns whether nothing would be lost afterwards.
 */
export function askBeforeLeaving(save: () => boolean): void {
  addEventListener('beforeunload', (event) => {
    if (!save()) event.preventDefault();
  });
}
