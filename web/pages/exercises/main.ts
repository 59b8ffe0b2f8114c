import './exercises.css';
import '../../src/components/language-switch/language-switch.ts';
import '../../src/components/theme-switch/theme-switch.ts';
import { exerciseList } from '../../src/exercises/exercise-list.ts';

void exerciseList.with(() => import('./exercises.ts'));
