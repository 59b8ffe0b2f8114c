import './figures/pairs/pairs.ts';
import { openLab } from '../../src/lab/open-lab.ts';

openLab(() => import('./lab.ts'));
