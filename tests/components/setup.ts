/** Loads the colours and fonts that every page has. */
import '../../web/src/styles/tokens.css';
import '../../web/src/styles/base.css';
import { afterEach } from 'vitest';

document.documentElement.lang = 'en';
document.title = 'A component';

afterEach(() => {
  document.body.replaceChildren();
});
