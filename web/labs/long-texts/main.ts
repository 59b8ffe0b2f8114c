import './long-texts.css';
import './figures/paint/paint.ts';
import { openLab } from '../../src/lab/page/open-lab.ts';

openLab(() => import('./lab.ts'));
