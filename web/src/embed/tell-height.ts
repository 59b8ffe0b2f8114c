/** So long may the page around take to answer before the page inside scrolls again, in milliseconds. */
const PATIENCE = 1000;

/**
 * Tells the page around an iframe how tall the page inside is, so that it need not scroll inside. The README has the
 * lines that listen. Canvas and other course systems listen for `lti.frameResize`, and sites with H5P's resizer speak
 * H5P's protocol.
 */
export function tellHeight(): void {
  const host = window.parent;
  if (host === window) return;
  const page = document.documentElement;
  // What fits itself to the screen cannot take the iframe for it: the iframe is as tall as what it holds.
  page.style.setProperty('--screen', `${Math.min(screen.availHeight, 900)}px`);
  // The height is no secret, and the address of the page around is not known here.
  const send = (message: object): void => host.postMessage(message, '*');
  const greet = (): void => send({ context: 'h5p', action: 'hello' });
  let told = 0;
  let speaksH5p = false;
  let patience: ReturnType<typeof setTimeout> | undefined;

  // In an iframe as tall as the page nothing can be pinned: the page flows (lab/stage.css).
  const grown = (whole: boolean): void => {
    page.style.overflowY = whole ? 'hidden' : '';
    page.toggleAttribute('data-grown', whole);
  };
  const tellH5p = (): void => {
    // H5P's own content asks for 'prepareResize' first, because it is as tall as its iframe. This page is as tall as
    // what it holds, so it leaves that step out. Older resizers read 'height'.
    send({ context: 'h5p', action: 'resize', scrollHeight: told, height: told });
  };
  const tell = (): void => {
    // Not `scrollHeight`: it is never less than the height of the iframe, which could then never shrink.
    const height = Math.ceil(page.getBoundingClientRect().height);
    // An iframe that is not displayed has no height to tell.
    if (height === told || height === 0) return;
    told = height;
    send({ type: 'attention-labs:height', height });
    send({ subject: 'lti.frameResize', height });
    if (speaksH5p) tellH5p();
    clearTimeout(patience);
    patience = setTimeout(() => {
      if (page.clientHeight < told) grown(false);
    }, PATIENCE);
  };

  // Where the page around makes room, there is no scroll bar: it would take width, charts would become lower for it,
  // so that it could go, and higher again without it, for ever.
  window.addEventListener('resize', () => {
    if (page.clientHeight >= told) grown(true);
  });

  window.addEventListener('message', ({ source, data }: MessageEvent) => {
    if (source !== host || data?.context !== 'h5p') return;
    // The resizer says 'ready' when it came later than this page.
    if (data.action === 'ready') greet();
    if (data.action === 'hello') speaksH5p = true;
    if (speaksH5p && (data.action === 'hello' || data.action === 'resize')) tellH5p();
  });
  tell();
  greet();
  // The browser calls at most once a frame, and only when the page's own size changed. The height of the iframe is
  // not part of that, so the answer of the page around causes no further message.
  new ResizeObserver(tell).observe(page);
}
