import './feature-maps.css';
import './opening.ts';
import { openLab } from '../../src/lab/open.ts';

openLab(() => import('./lab.ts'));
