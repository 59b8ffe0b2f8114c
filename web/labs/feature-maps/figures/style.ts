/** A sheet of a part that comes later would not be fetched by itself. */
import css from './figures.css?inline';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);
