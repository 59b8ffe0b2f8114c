/** Follows links to steps that are in another lab now. Only pages of labs that had such steps load it (plugins/labs.ts). */
import { type Moved, movedAddress } from './moved.ts';

const moved = JSON.parse(document.querySelector('main')?.dataset.moved ?? '{}') as Moved;

function follow(): void {
  const address = movedAddress(location, moved);
  // Back leads to where the reader came from, and not to this page again.
  if (address) location.replace(address);
}
follow();
addEventListener('hashchange', follow);
