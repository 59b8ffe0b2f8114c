/** Draws a figure again when its window becomes as narrow as a phone's, or wider. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';

const SMALL = matchMedia('(width < 40rem)');
/** So narrow that text and picture stand one above the other, and a picture has half of the window's height. */
export const STACKED = matchMedia('(width < 68.75em)');

export class SmallWindow implements ReactiveController {
  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly narrow: MediaQueryList = SMALL,
  ) {
    host.addController(this);
  }

  get matches(): boolean {
    return this.narrow.matches;
  }

  private readonly changed = (): void => this.host.requestUpdate();

  hostConnected(): void {
    this.narrow.addEventListener('change', this.changed);
  }

  hostDisconnected(): void {
    this.narrow.removeEventListener('change', this.changed);
  }
}
