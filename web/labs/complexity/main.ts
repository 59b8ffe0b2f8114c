import { createTrickClient } from '#client/trick';
import './complexity.css';
import './figures/blocks/blocks.ts';
import { openLab } from '../../src/lab/open.ts';

openLab(() => import('./lab.ts'), { createClient: createTrickClient });
