/** Draws a figure again when its window becomes as narrow as a phone's, or wider. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';

const SMALL = matchMedia('(width < 40rem)');

export class SmallWindow implements ReactiveController {
  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  get matches(): boolean {
    return SMALL.matches;
  }

  private readonly changed = (): void => this.host.requestUpdate();

  hostConnected(): void {
    SMALL.addEventListener('change', this.changed);
  }

  hostDisconnected(): void {
    SMALL.removeEventListener('change', this.changed);
  }
}
