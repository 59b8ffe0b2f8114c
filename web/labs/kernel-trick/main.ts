import './figures/orders/orders.ts';
import { openLab } from '../../src/lab/page/open-lab.ts';

openLab(() => import('./lab.ts'));
