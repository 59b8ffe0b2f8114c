// Before the first paint, so that a chosen theme never flashes the other one.
try {
  const theme = localStorage.getItem('attention-labs-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is denied: the system's theme it is.
}
