import './complexity.css';
import './figures/blocks/blocks.ts';
import { openLab } from '../../src/lab/open-lab.ts';

openLab(() => import('./lab.ts'));
