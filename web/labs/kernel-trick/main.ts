import { createTrickClient } from '#client/trick';
import './figures/orders/orders.ts';
import { openLab } from '../../src/lab/open.ts';

openLab(() => import('./lab.ts'), { createClient: createTrickClient });
