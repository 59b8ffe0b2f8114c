import './exercises.css';
import '../../src/components/theme-switch/theme-switch.ts';
import './exercises.ts';
