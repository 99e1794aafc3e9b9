/**
 * Redirects to the service's own address if it was opened under another name (an old domain, `www`, 127.0.0.1): wallets
 * sign in only there, and the browser keeps sessions by name. Runs in the browser, because a proxy need not forward the
 * name.
 */
(() => {
  'use strict';

  const KEY = 'led-to-own-address';
  /** A proxy that redirects to the other name must not cause a loop (milliseconds). */
  const ONCE_IN_MS = 10_000;
  const own = document.currentScript?.dataset.origin;
  const isLoopback = (name) => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(name);

  if (!own || location.origin === own) return;
  // Without BASE_URL the own address is this machine's, which means another machine to visitors from elsewhere.
  if (isLoopback(new URL(own).hostname) && !isLoopback(location.hostname)) return;
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY)) < ONCE_IN_MS) return;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    return; // storage is blocked, so nothing would end a loop
  }
  location.replace(own + location.pathname + location.search + location.hash);
})();
