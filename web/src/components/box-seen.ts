/**
 * The box of an element as it is seen, in pixels of the window. Engines older than the standard of CSS zoom (WebKit, and
 * Chromium before 128) give the box of an element in a zoomed picture in the picture's own pixels.
 */
export function boxSeen(element: Element): DOMRect {
  const box = element.getBoundingClientRect();
  if ('currentCSSZoom' in element) return box;
  let zoom = 1;
  let one: Element | null | undefined = element as Element;
  while (one) {
    zoom *= Number(getComputedStyle(one).getPropertyValue('zoom')) || 1;
    one = one.parentElement ?? (one.getRootNode() as Partial<ShadowRoot>).host;
  }
  return new DOMRect(box.x * zoom, box.y * zoom, box.width * zoom, box.height * zoom);
}
