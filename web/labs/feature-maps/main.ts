import './feature-maps.css';
import '../../src/components/theme-switch/theme-switch.ts';
import './lab.ts';
