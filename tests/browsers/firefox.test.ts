import { everyPage } from './every-page';
import { openFirefox } from './firefox';

everyPage('Firefox', openFirefox);
