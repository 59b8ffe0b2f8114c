/** Brings the picture that a sheet changes above the sheet, where the sheet lies over the lower half of a window. */
export function bringAbove(sheet: Element): void {
  const { top, width } = sheet.getBoundingClientRect();
  const picture = sheet.closest('.view, .bench')?.querySelector('.picture');
  if (!picture || width < innerWidth) return;
  const box = picture.getBoundingClientRect();
  const by = Math.min(box.top - 8, box.bottom - top);
  if (by > 0 || box.top < 0) scrollBy({ top: by > 0 ? by : box.top - 8, behavior: 'instant' });
}
