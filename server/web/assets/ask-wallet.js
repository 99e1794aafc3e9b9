/**
 * Sends requests from this service's pages to the wallet. A page posts messages to its own window, where the wallet's
 * relay reads them (docs/architecture/sign-in.md). Page scripts loaded after this one use `askServiceWallet`.
 */
globalThis.askServiceWallet = (window, location, found) => {
  'use strict';

  const CHANNEL = 'service-button/1';
  const pending = new Map();

  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== window || origin !== location.origin || data?.channel !== CHANNEL || data.to !== 'page') return;
    if (data.event === 'wallet-present') {
      // A new relay hasn't received the pending requests. The wallet ignores repeated messages.
      for (const { message } of pending.values()) window.postMessage(message, location.origin);
      found();
      return;
    }
    const request = pending.get(data.id);
    if (!request) return;
    pending.delete(data.id);
    if (data.error)
      request.reject(Object.assign(new Error(String(data.error.message)), { code: String(data.error.code) }));
    else request.resolve(data.result);
  });

  /** Sends a request to the wallet, without a timeout, because the user might take a long time to respond. */
  return (method, params) => {
    const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('');
    const message = { channel: CHANNEL, to: 'wallet', id, method, params };
    return new Promise((resolve, reject) => {
      pending.set(id, { message, resolve, reject });
      window.postMessage(message, location.origin);
    });
  };
};
