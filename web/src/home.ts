import './styles/home.css';
import './components/language-switch/language-switch.ts';
import './components/theme-switch/theme-switch.ts';
