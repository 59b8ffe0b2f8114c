/**
 * Makes the browser ask before the page is left while something would be lost. A frame with a `sandbox` attribute
 * that lacks `allow-modals` cannot ask; the page itself has to say it there.
 *
 * Returns how to stop asking.
 *
 * @param save stores what it can at once, and returns whether nothing would be lost afterwards.
 */
export function askBeforeLeaving(save: () => boolean): () => void {
  const ask = (event: Event): void => {
    if (!save()) event.preventDefault();
  };
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
}
