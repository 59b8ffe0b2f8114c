/** A finger on the screen of a phone. */
import type { Page } from 'playwright-core';

export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

type Place = readonly [x: number, y: number];

/** A swipe as the browser gets it from a screen. */
export async function swipe(page: Page, from: Place, to: Place): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', [x, y]: Place) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
    });
  await send('touchStart', from);
  for (let i = 1; i <= 8; i++) {
    const part = (k: 0 | 1): number => from[k] + ((to[k] - from[k]) * i) / 8;
    await send('touchMove', [part(0), part(1)]);
  }
  await send('touchEnd', to);
  await session.detach();
}
