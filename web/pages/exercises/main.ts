import './exercises.css';
import '../../src/components/language-switch/language-switch.ts';
import '../../src/components/theme-switch/theme-switch.ts';
import { embedded } from '../../src/embed/embedded.ts';
import { inFrame } from '../../src/embed/in-frame.ts';
import { ledOn } from '../../src/embed/led-on.ts';
import { exerciseList } from '../../src/exercises/exercise-list.ts';
import { isOfThisPage, pageOf } from '../../src/exercises/page-of.ts';

const id = new URLSearchParams(location.search).get('id');

/** Where the address leads in this site, if that is another page: what its language lacks is shown by the English page. */
function elsewhere(): string | undefined {
  const one = exerciseList.now.list.find((listed) => listed.id === id);
  return isOfThisPage(one) ? undefined : `./${pageOf(one)}${location.search}${location.hash}`;
}

function begin(): void {
  if (id && (window.parent !== window || window.opener)) {
    const steps = [{ id: 'exercise', blocks: [{ kind: 'exercises', ids: [id] } as const] }];
    // A name that no lab has, because a lab's answers are kept under its own.
    const place = { id: `exercise-${id}`, steps };
    embedded(async () => place, 'attn-exercises-page');
  } else inFrame();
}

void exerciseList.with(async () => {
  const address = elsewhere();
  // Back leads to where the reader came from, and not to this page again.
  if (address) return location.replace(ledOn(address, `exercise-${id}`));
  begin();
  return import('./exercises.ts');
});
