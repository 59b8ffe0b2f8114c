import './styles/page.css';
import './components/theme-switch/theme-switch.ts';
