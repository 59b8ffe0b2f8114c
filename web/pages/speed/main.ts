import './speed.css';
import '../../src/components/language-switch/language-switch.ts';
import '../../src/components/theme-switch/theme-switch.ts';
import { inFrame } from '../../src/embed/in-frame.ts';
import './speed.ts';

inFrame();
