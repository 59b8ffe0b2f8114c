/** The page's own fonts inside an SVG text: a picture that is made of it loads nothing, and would be set in another font. */

/** The family of the page's interface, as `plugins/fonts.ts` names it. */
const FAMILY = 'AL Sans';

/** Whether a `unicode-range` has one of these characters. */
export function inRange(range: string, characters: Iterable<string>): boolean {
  if (range.trim() === '') return true;
  const parts = range.split(',').map((part) => {
    const [from = '', to = from] = part.trim().replace(/^u\+/i, '').split('-');
    return [
      Number.parseInt(from.replaceAll('?', '0'), 16),
      Number.parseInt(to.replaceAll('?', 'F'), 16),
    ] as const;
  });
  for (const character of characters) {
    const code = character.codePointAt(0) ?? 0;
    if (parts.some(([from, to]) => code >= from && code <= to)) return true;
  }
  return false;
}

async function asData(address: string): Promise<string> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `data:font/woff2;base64,${btoa(text)}`;
}

/** The rules of the fonts that the text needs, each with its file inside. */
async function rulesFor(text: string): Promise<string> {
  const characters = new Set(text);
  const rules: Promise<string>[] = [];
  for (const sheet of document.styleSheets) {
    let all: CSSRuleList;
    try {
      all = sheet.cssRules;
    } catch {
      // A style sheet of another origin, such as an extension's.
      continue;
    }
    for (const rule of all) {
      if (!(rule instanceof CSSFontFaceRule)) continue;
      const { style } = rule;
      const family = style.getPropertyValue('font-family').replace(/["']/g, '').trim();
      const range = style.getPropertyValue('unicode-range');
      const source = /url\(["']?([^"')]+)["']?\)/.exec(style.getPropertyValue('src'))?.[1];
      if (family !== FAMILY || !source || !inRange(range, characters)) continue;
      const address = new URL(source, sheet.href ?? document.baseURI).href;
      const weight = style.getPropertyValue('font-weight') || '400';
      rules.push(
        asData(address).then(
          (data) =>
            `@font-face{font-family:"${FAMILY}";src:url("${data}") format("woff2");font-weight:${weight}${range ? `;unicode-range:${range}` : ''}}`,
        ),
      );
    }
  }
  return (await Promise.all(rules)).join('');
}

/** The SVG with the page's fonts in it; as it is where they cannot be had. */
export async function withPageFonts(svg: string): Promise<string> {
  const text = svg.replace(/<[^>]*>/g, '');
  const rules = await rulesFor(text).catch(() => '');
  if (!rules) return svg;
  return svg
    .replaceAll('font-family="Inter,', `font-family="${FAMILY}, Inter,`)
    .replace(/^(<svg\b[^>]*>)/, `$1<style>${rules}</style>`);
}
