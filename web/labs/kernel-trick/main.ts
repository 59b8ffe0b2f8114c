import './figures/orders/orders.ts';
import { openLab } from '../../src/lab/open-lab.ts';

openLab(() => import('./lab.ts'));
