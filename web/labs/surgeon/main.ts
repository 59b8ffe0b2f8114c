import './surgeon.css';
import './figures/table/table.ts';
import { openLab } from '../../src/lab/open-lab.ts';

openLab(() => import('./lab.ts'));
