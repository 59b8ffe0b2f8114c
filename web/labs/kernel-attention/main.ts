import './kernel-attention.css';
import './figures/line/line.ts';
import { openLab } from '../../src/lab/page/open-lab.ts';

openLab(() => import('./lab.ts'));
