/**
 * Adds a style sheet to the document, once. Parts of the page that are loaded later carry their sheet as
 * text in their own script: part and sheet arrive together, and fail together when the network does.
 */
const adopted = new Set<string>();

export function adopt(css: string): void {
  if (adopted.has(css)) return;
  adopted.add(css);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}
