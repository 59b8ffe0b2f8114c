import './styles/home.css';
import './components/theme-switch/theme-switch.ts';
