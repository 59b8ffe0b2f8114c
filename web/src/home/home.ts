/** What the start page shows at once; the rest comes with the visitor's first move. */
import './home.css';
import './figure/figure.ts';
import '../components/language-switch/language-switch.ts';
import '../components/theme-switch/theme-switch.ts';
import { tellHeight } from '../embed/tell-height.ts';
import { onFirstMove } from '../state/first-move.ts';

const loadCourse = (): void => {
  // Without it the map can be read; the next move tries again.
  import('./course.ts').catch(() => onFirstMove(loadCourse));
};
onFirstMove(loadCourse);
tellHeight();
