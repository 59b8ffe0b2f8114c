import './exercises.css';
import '../../src/components/language-switch/language-switch.ts';
import '../../src/components/theme-switch/theme-switch.ts';
import { inFrame } from '../../src/embed/in-frame.ts';
import { exerciseList } from '../../src/exercises/exercise-list.ts';

inFrame();
const id = new URLSearchParams(location.search).get('id');
if (id && (window.parent !== window || window.opener)) {
  const steps = [{ id: 'exercise', blocks: [{ kind: 'exercises', ids: [id] } as const] }];
  // A name that no lab has, because a lab's answers are kept under its own.
  const place = { id: `exercise-${id}`, steps };
  void import('../../src/embed/host/course-site.ts')
    .then(({ joinCourseSite }) => joinCourseSite(async () => place, 'attn-exercises-page'))
    .catch(console.warn);
}
void exerciseList.with(() => import('./exercises.ts'));
