/**
 * Notes what goes wrong in a page, for the tests: WebDriver gives nobody the console of WebKitGTK. The site's copy for the
 * tests has this script before all others (site.ts), as a file, because its policy forbids inline scripts.
 *
 * It does not see what the browser itself writes to the console without an event (a file that `fetch` did not find),
 * the consoles of workers, and the sandbox's frame, which has another origin. Firefox tells of those by its protocol.
 */
(() => {
  const problems = [];
  window.problems = problems;
  const said = (value) => (value instanceof Error ? `${value}\n${value.stack}` : String(value));
  const listener = (event) => {
    const { target, message, filename, lineno } = event;
    // Not a fault: what one observer of sizes changed is told to another, higher up, with the next frame.
    if (/^ResizeObserver loop/.test(message)) return;
    if (target === window) problems.push(`error: ${message} (${filename}:${lineno})`);
    // A hint, which Firefox refuses for a module that it has; what imports a module that is missing complains itself.
    else if (target.rel === 'modulepreload') return;
    else problems.push(`not loaded: ${target.currentSrc || target.src || target.href}`);
  };
  // What does not load has an event that does not bubble.
  addEventListener('error', listener, true);
  addEventListener('unhandledrejection', ({ reason }) => {
    problems.push(`rejected: ${said(reason)}`);
  });
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
    problems.push(`policy: ${effectiveDirective} forbids ${blockedURI} (${sourceFile})`);
  });
  for (const level of ['error', 'warn']) {
    const real = console[level];
    console[level] = (...all) => {
      problems.push(`console.${level}: ${all.map(said).join(' ')}`);
      real.apply(console, all);
    };
  }
})();
