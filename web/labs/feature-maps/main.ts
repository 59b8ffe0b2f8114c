import './feature-maps.css';
import './opening.ts';
import { openLab } from '../../src/lab/open.ts';
import { lab } from './lab.ts';

openLab(lab);
