/**
 * Requests from this service's pages to the wallet: messages to their own window, which the wallet's relay reads
 * (docs/architecture/sign-in.md). The pages' later scripts use `askServiceWallet`.
 */
globalThis.askServiceWallet = (window, location, found) => {
  'use strict';

  const CHANNEL = 'service-button/1';
  const pending = new Map();

  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== window || origin !== location.origin || data?.channel !== CHANNEL || data.to !== 'page') return;
    if (data.event === 'wallet-present') {
      // A new relay hasn't received the pending requests. Repeating a message doesn't repeat its request.
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

  /** Sends a request to the wallet. Waits for as long as the user takes. */
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
