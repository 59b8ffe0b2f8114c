import { createTrickClient } from '#client/trick';
import './complexity.css';
import './figures/blocks/blocks.ts';
import { openLab } from '../../src/lab/open.ts';
import { lab } from './lab.ts';

openLab(lab, { createClient: createTrickClient });
