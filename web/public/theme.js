// Before the first paint, so that neither a chosen theme nor a chosen language flashes another one.
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
  // A link's language is that of the pages it leads to, and no choice for the next visit.
  try {
    if (asked) sessionStorage.setItem(KEY, asked);
  } catch {
    // The link counts for this page alone.
  }
  const wanted = [asked, stored('sessionStorage', KEY), stored('localStorage', KEY)];
  const tags = [...wanted, ...navigator.languages].map(known);
  root.lang = tags.find((id) => id) ?? 'en';
  const title = document.querySelector('title');
  document.title = title?.dataset[root.lang] ?? document.title;
  for (const meta of document.querySelectorAll(`meta[data-${root.lang}]`)) {
    meta.content = meta.dataset[root.lang];
  }
  // Written, not appended: so it runs before the page's modules, and holds up no painting.
  const { dataset } = document.currentScript;
  const write = (words) => words && document.write(`<script defer src="${words}"></script>`);
  write(dataset[root.lang]);
  // A link with settings may have something to say at once that else comes with the first move.
  const settings = [...new URLSearchParams(location.search).keys()].some((key) => key !== 'lang');
  if (settings || location.hash) write(dataset[`${root.lang}Later`]);
})();
