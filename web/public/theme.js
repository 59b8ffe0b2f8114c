// This script runs before the first paint, so that the page never flashes in another theme, and so that an old link
// with `?lang=` leads to the page in that language at once.
(() => {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem('attention-labs-theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch {
    // Storage is denied: the system's theme it is.
  }

  const address = new URL(location.href);
  const asked = address.searchParams.get('lang')?.toLowerCase().split('-')[0];
  const pages = [...document.querySelectorAll('link[rel="alternate"][hreflang]')];
  const page = pages.find(({ hreflang }) => hreflang === asked);
  if (page && asked !== root.lang) {
    address.searchParams.delete('lang');
    location.replace(page.href + address.search + address.hash);
  }

  // A frame with `sandbox="allow-scripts"` has no origin, and gets the rest of the page only from a server that sends
  // `Access-Control-Allow-Origin`. From another server nothing but this script arrives, so it says what is missing.
  const unserved = {
    en: 'This page is in a frame that gives it no origin, and its server does not let such a frame have the rest of the page.',
    de: 'Diese Seite steht in einem Rahmen, der ihr keinen Ursprung gibt, und ihr Server gibt einem solchen Rahmen den Rest der Seite nicht.',
  };
  const own = {
    en: 'Open it in a tab of its own',
    de: 'In einem eigenen Tab öffnen',
  };
  const missed = ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    removeEventListener('error', missed, true);
    const link = Object.assign(document.createElement('a'), {
      href: location.href,
      target: '_blank',
      textContent: own[root.lang],
    });
    const said = document.createElement('p');
    said.setAttribute('role', 'alert');
    said.append(`${unserved[root.lang]} `, link, '.');
    document.body.prepend(said);
  };
  if (self.origin === 'null') addEventListener('error', missed, true);
})();
