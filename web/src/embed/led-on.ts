/**
 * Within a course site a page of ours that only leads on to another one, because what it showed has another address now,
 * says so in the address (`sent`): the page that it leads to then stands in its place, and hands over what is done there.
 * A page that a reader's own link led to does not, because the frame's place in the course site is another page's.
 */

/** Whether a link of another page of ours led here. */
export function cameFromOurs(): boolean {
  const ours = /\/(?:labs|pages)\/[\w-]+\/(?:\w+\.html)?$/;
  try {
    const { origin, pathname } = new URL(document.referrer);
    return origin === location.origin && pathname !== location.pathname && ours.test(pathname);
  } catch {
    return false;
  }
}

/** The address, from a page that was opened with this one: `from` is the lab that the page around names. */
export function ledOn(address: string, from: string): string {
  const framed = window.parent !== window || window.opener;
  if (!framed || cameFromOurs()) return address;
  const [page = '', hash] = address.split('#');
  const sent = `${page}${page.includes('?') ? '&' : '?'}sent=${from}`;
  return hash === undefined ? sent : `${sent}#${hash}`;
}

/** The lab that the page around names, where its page has led here. */
export const sentFrom = (): string | undefined =>
  new URLSearchParams(location.search).get('sent') ?? undefined;
