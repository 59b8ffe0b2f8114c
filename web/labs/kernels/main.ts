import './kernels.css';
import './figures/plane/plane.ts';
import { openLab } from '../../src/lab/page/open-lab.ts';

openLab(() => import('./lab.ts'));
