import './feature-maps.css';
import '../../src/components/language-switch/language-switch.ts';
import '../../src/components/theme-switch/theme-switch.ts';
import './opening.ts';
