/** The instructor's page (`pages/embed/`) from a link to a lab or an exercise, and back. */
import { isShort } from './short-name.ts';

/** What of the site is embedded. The query is today's, as `Link` copies it, without its `?`. */
export interface Embedded {
  readonly lab: string;
  readonly exercise: string;
  readonly step: string;
  readonly query: string;
}

const PAGE = /^(.*\/)(?:labs\/([\w-]+)|pages\/exercises)\/(?:index\.html)?$/;

/** Undefined for an address that is neither of a lab nor of an exercise. */
export function embeddedBy(link: string): (Embedded & { readonly root: string }) | undefined {
  const { origin, pathname, searchParams: pairs, hash } = new URL(link);
  const [, root, lab = ''] = PAGE.exec(pathname) ?? [];
  if (root === undefined) return undefined;
  const exercise = lab ? '' : (pairs.get('id') ?? '');
  if (!lab && !isShort(exercise)) return undefined;
  if (!lab) pairs.delete('id');
  pairs.delete('v');
  // Of an exercise the hash is code, which is its author's own.
  const step = lab && isShort(hash.slice(1)) ? hash.slice(1) : '';
  return { root: origin + root, lab, exercise, step, query: readable(pairs) };
}

/** As the site's own links are written (state/url.ts). */
export const readable = (pairs: URLSearchParams): string =>
  `${pairs}`.replace(/%(2C|3A|2F|40)/g, (code) => decodeURIComponent(code));

/** The address of the instructor's page that shows the same, in the language of the link. */
export function embedAddress(link: string): string {
  const { root, lab, exercise, step, query } = embeddedBy(link) ?? {};
  const address = new URL('pages/embed/index.html', root ?? new URL('../../', link));
  const said = { lab, exercise, step, q: query };
  for (const [key, value] of Object.entries(said)) if (value) address.searchParams.set(key, value);
  if (address.search) address.search = `?v=1&${readable(address.searchParams)}`;
  return address.href;
}

/** Opens the instructor's page. From a frame it opens in a tab: the frame belongs to the page around. */
export function goToEmbed(link: string): void {
  if (window.parent === window) location.assign(embedAddress(link));
  else window.open(embedAddress(link), '_blank', 'noopener');
}
