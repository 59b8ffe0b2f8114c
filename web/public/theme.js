// This script runs before the first paint, so that the page never flashes in another theme or language.
(() => {
  const root = document.documentElement;
  const stored = (storage, key) => {
    try {
      return window[storage].getItem(key);
    } catch {
      return null; // Storage is denied: the system's theme and the browser's language it is.
    }
  };
  const theme = stored('localStorage', 'attention-labs-theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;

  const KEY = 'attention-labs-language';
  const known = (tag) => ['en', 'de'].find((id) => id === tag?.toLowerCase().split('-')[0]);
  const asked = known(new URLSearchParams(location.search).get('lang'));
  // The language of a link lasts for this tab; it is not a choice for the next visit.
  try {
    if (asked) sessionStorage.setItem(KEY, asked);
  } catch {
    // Storage is denied, so the language of the link counts for this page alone.
  }
  const wanted = [asked, stored('sessionStorage', KEY), stored('localStorage', KEY)];
  const tags = [...wanted, ...navigator.languages].map(known);
  root.lang = tags.find((id) => id) ?? 'en';
  const title = document.querySelector('title');
  document.title = title?.dataset[root.lang] ?? document.title;
  for (const meta of document.querySelectorAll(`meta[data-${root.lang}]`)) {
    meta.content = meta.dataset[root.lang];
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
