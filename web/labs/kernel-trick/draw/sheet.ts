/** The sheet of this lab's figures; they have no shadow of their own. */
import css from '../kernel-trick.css?inline';

let adopted = false;

export function adopt(): void {
  if (adopted) return;
  adopted = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}
