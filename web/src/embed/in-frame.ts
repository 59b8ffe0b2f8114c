/** All that a page does in the frame of another page. On its own it does none of it. */
import { obeyHost } from './obey-host.ts';
import { tellHeight } from './tell-height.ts';

export function inFrame(): void {
  tellHeight();
  obeyHost();
}
