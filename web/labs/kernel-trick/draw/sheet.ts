/** The sheets of this lab's figures; they have no shadow of their own. */

const adopted = new Set<string>();

export function adopt(css: string): void {
  if (adopted.has(css)) return;
  adopted.add(css);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}
