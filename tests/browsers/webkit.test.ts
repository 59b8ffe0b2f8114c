import { everyPage } from './every-page';
import { openWebkit } from './webkit';

everyPage('WebKitGTK', openWebkit);
