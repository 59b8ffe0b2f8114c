import './complexity.css';
import './figures/blocks/blocks.ts';
import { openLab } from '../../src/lab/page/open-lab.ts';

openLab(() => import('./lab.ts'));
