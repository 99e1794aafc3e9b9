/**
 * Redirects to the service's canonical origin if the page was opened under a different host name (an old domain, `www`,
 * 127.0.0.1). Wallets sign in only there, and sessions are per host name. Runs in the browser, because proxies don't
 * always forward the host name.
 */
(() => {
  'use strict';

  const KEY = 'led-to-own-address';
  /** Minimum time between redirects (ms). Prevents a loop if a proxy redirects back to the other host name. */
  const ONCE_IN_MS = 10_000;
  const own = document.currentScript?.dataset.origin;
  const isLoopback = (name) => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(name);

  if (!own || location.origin === own) return;
  // Without BASE_URL, the canonical origin is loopback, which for remote visitors is their own machine.
  if (isLoopback(new URL(own).hostname) && !isLoopback(location.hostname)) return;
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY)) < ONCE_IN_MS) return;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    return; // storage is blocked, so a redirect loop couldn't be detected
  }
  location.replace(own + location.pathname + location.search + location.hash);
})();
