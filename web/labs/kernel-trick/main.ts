import { createTrickClient } from '#client/trick';
import './figures/orders/orders.ts';
import { openLab } from '../../src/lab/open.ts';
import { lab } from './lab.ts';

openLab(lab, { createClient: createTrickClient });
