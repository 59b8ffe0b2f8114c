import './speed.css';
import '../../src/components/theme-switch/theme-switch.ts';
import './speed.ts';
