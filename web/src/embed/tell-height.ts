import { SLACK } from './window.ts';

/** So long may the page around take to answer before the page inside scrolls again, in milliseconds. */
const PATIENCE = 1000;

/** A resizer may be loaded long after this page, so it is greeted again after this time, then later and later. */
const [GREET_AGAIN, GREET_AT_LEAST, LATER] = [1000, 5000, 1.5];

/** The width that a scroll bar takes: none where it lies over the page. The visitor's zoom changes it. */
function scrollBarWidth(): number {
  const box = document.createElement('div');
  box.className = 'measures-scroll-bar';
  document.body.append(box);
  const width = box.offsetWidth - box.clientWidth;
  box.remove();
  return width;
}

/**
 * Tells the page around an iframe how tall the page inside is, so that it need not scroll inside. The README has the
 * lines that listen. Canvas and other course systems listen for `lti.frameResize`, and sites with H5P's resizer speak
 * H5P's protocol.
 *
 * What the page is told must not change what it is told next. A host may give a pixel less, round, count a border or
 * stop at some height; if the page were taller in a taller frame, or narrower where a scroll bar comes, the two would
 * answer each other for ever. So a page in a frame flows (`data-grown`), its lengths know nothing of the frame's height,
 * and its scroll bar has a place of its own (styles/tokens.css).
 */
export function tellHeight(): void {
  const host = window.parent;
  if (host === window) return;
  const page = document.documentElement;
  page.toggleAttribute('data-grown', true);
  // What fits itself to the screen takes the visitor's own, as far as a picture may grow.
  page.style.setProperty('--window-height', `${Math.min(screen.availHeight, 900)}px`);
  const leaveRoom = (): void => page.style.setProperty('--scroll-bar', `${scrollBarWidth()}px`);
  leaveRoom();
  // The height is no secret, and the address of the page around is not known here.
  const send = (message: object): void => host.postMessage(message, '*');
  let told = 0;
  let speaksH5p = false;
  let moved = false;
  let patience: ReturnType<typeof setTimeout> | undefined;

  const follows = (): boolean => told > 0 && page.clientHeight >= told - SLACK;
  // While the page around answers, no scroll bar comes and goes.
  const whole = (is: boolean): void => {
    page.toggleAttribute('data-whole', is);
  };
  const wait = (): void => {
    clearTimeout(patience);
    patience = setTimeout(() => whole(follows()), PATIENCE);
  };
  const tellH5p = (): void => {
    // H5P's own content asks for 'prepareResize' first, because it is as tall as its iframe. This page is as tall as
    // what it holds, so it leaves that step out. Older resizers read 'height'.
    send({ context: 'h5p', action: 'resize', scrollHeight: told, height: told });
  };
  const sendHeight = (): void => {
    send({ type: 'attention-labs:height', height: told });
    send({ subject: 'lti.frameResize', height: told });
    // Brightspace listens for the longer name.
    send({ subject: 'org.imsglobal.lti.frameResize', height: told });
  };
  const tell = (): void => {
    // Not `scrollHeight`: it is never less than the height of the iframe, which could then never shrink.
    const height = Math.ceil(page.getBoundingClientRect().height);
    // An iframe that is not displayed has no height to tell.
    if (height === told || height === 0) return;
    told = height;
    sendHeight();
    if (speaksH5p) tellH5p();
    wait();
  };
  let zoom = window.devicePixelRatio;
  window.addEventListener('resize', () => {
    moved = true;
    if (zoom !== window.devicePixelRatio) leaveRoom();
    zoom = window.devicePixelRatio;
    if (follows()) whole(true);
    // Whether a host that took room away gives it back is seen after a while.
    else wait();
  });

  // Nobody tells when a resizer is there, or whether one ever will be: it is greeted until somebody has answered, in
  // words or by making room.
  let pause = GREET_AGAIN;
  let again: ReturnType<typeof setTimeout> | undefined;
  const greet = (): void => {
    send({ context: 'h5p', action: 'hello' });
    clearTimeout(again);
    again = setTimeout(() => {
      if (speaksH5p || follows()) return;
      // Who listens for heights and came late has not heard this one; who has moved the frame has.
      if (told > 0 && !moved) sendHeight();
      pause = Math.min(pause * LATER, GREET_AT_LEAST);
      greet();
    }, pause);
  };
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
