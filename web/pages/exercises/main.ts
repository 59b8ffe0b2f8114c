import './exercises.css';
import '../../src/components/language-switch/language-switch.ts';
import '../../src/components/theme-switch/theme-switch.ts';
import { embedded } from '../../src/embed/embedded.ts';
import { inFrame } from '../../src/embed/in-frame.ts';
import { exerciseList } from '../../src/exercises/exercise-list.ts';

const id = new URLSearchParams(location.search).get('id');
if (id && (window.parent !== window || window.opener)) {
  const steps = [{ id: 'exercise', blocks: [{ kind: 'exercises', ids: [id] } as const] }];
  // A name that no lab has, because a lab's answers are kept under its own.
  const place = { id: `exercise-${id}`, steps };
  embedded(async () => place, 'attn-exercises-page');
} else inFrame();
void exerciseList.with(() => import('./exercises.ts'));
