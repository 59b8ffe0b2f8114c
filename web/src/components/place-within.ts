import { boxSeen } from './box-seen.ts';

/**
 * Where a pointer is within an element, in the element's own pixels: a figure that has little room is drawn smaller as a
 * whole, and then a pixel of the window is more than one of the element.
 */
export function placeWithin(
  element: HTMLElement,
  { clientX, clientY }: Pick<PointerEvent, 'clientX' | 'clientY'>,
): readonly [number, number] {
  const { left, top, width } = boxSeen(element);
  const scale = width > 0 ? element.offsetWidth / width : 1;
  return [(clientX - left) * scale, (clientY - top) * scale];
}
