import './embed.css';
import '../../src/components/language-switch/language-switch.ts';
import '../../src/components/theme-switch/theme-switch.ts';
import { tellHeight } from '../../src/embed/tell-height.ts';
import { exerciseList } from '../../src/exercises/exercise-list.ts';

tellHeight();
void exerciseList.with(() => import('./embed.ts'));
