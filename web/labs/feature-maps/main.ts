import './feature-maps.css';
import './opening.ts';
import { openLab } from '../../src/lab/open-lab.ts';

openLab(() => import('./lab.ts'));
