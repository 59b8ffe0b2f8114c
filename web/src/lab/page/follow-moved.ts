/** Follows links to steps that are in another lab now. Only pages of labs that had such steps load it (plugins/labs.ts). */
import { ledOn } from '../../embed/led-on.ts';
import { type Moved, movedAddress } from './moved.ts';

const moved = JSON.parse(document.querySelector('main')?.dataset.moved ?? '{}') as Moved;

function follow(begins: boolean): void {
  const address = movedAddress(location, moved);
  const lab = document.querySelector<HTMLElement>('.lab-opening')?.dataset.lab ?? '';
  // Back leads to where the reader came from, and not to this page again.
  if (address) location.replace(begins ? ledOn(address, lab) : address);
}
follow(true);
addEventListener('hashchange', () => follow(false));
