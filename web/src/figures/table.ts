/** How the tables of figures look. Sheets of parts that come later are adopted: the build loads none. */
import css from './table.css?inline';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);
