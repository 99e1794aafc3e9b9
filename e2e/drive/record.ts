/** Records a browser's output and requests, and the data that its extension stores. */
import type { CDPSession, Page, Target } from 'puppeteer-core';
import type { WalletBrowser } from '../../tooling/drive/browser.ts';

export interface Recording {
  /** URLs requested by pages and the service worker, with the data sent. */
  requests: string[];
  /** URLs of windows and tabs. */
  addresses: Set<string>;
  /** Console output and uncaught errors, including the service worker's. */
  consoles: string[];
  /** Starts recording the current worker. Must be called again after the worker is killed. */
  hearWorker(): Promise<void>;
}

/** Starts recording a browser. */
export function record(wallet: WalletBrowser): Recording {
  const requests: string[] = [];
  const addresses = new Set<string>();
  const consoles: string[] = [];

  async function hear(client: CDPSession): Promise<void> {
    client.on(
      'Network.requestWillBeSent',
      ({ request }) => void requests.push(`${request.method} ${request.url} ${request.postData ?? ''}`),
    );
    client.on('Runtime.consoleAPICalled', ({ args }) => void consoles.push(JSON.stringify(args)));
    client.on(
      'Runtime.exceptionThrown',
      ({ exceptionDetails: { text, exception } }) => void consoles.push(`${text} ${exception?.description ?? ''}`),
    );
    client.on('Log.entryAdded', ({ entry }) => void consoles.push(`${entry.text} ${entry.url ?? ''}`));
    await Promise.all(
      ['Network.enable', 'Runtime.enable', 'Log.enable'].map((method) =>
        client.send(method as 'Network.enable').catch(() => undefined),
      ),
    );
  }

  async function met(target: Target): Promise<void> {
    addresses.add(target.url());
    if (target.type() === 'page') await hear(await target.createCDPSession());
  }
  wallet.browser.on('targetcreated', (target: Target) => void met(target).catch(() => undefined)); // The target may already be closed.
  wallet.browser.on('targetchanged', (target: Target) => void addresses.add(target.url()));
  return {
    requests,
    addresses,
    consoles,
    hearWorker: async () => hear((await wallet.worker()).client),
  };
}

/**
 * Returns all data that the extension stores, from its databases, its storage areas and the page's storage. Binary
 * values are included as bytes and in hexadecimal. `extractable` lists keys that could be exported.
 */
export async function dumpExtension(page: Page): Promise<{ text: string; extractable: string[] }> {
  return page.evaluate(async () => {
    const extractable: string[] = [];
    const seen = new Set<object>();
    const write = (value: unknown): string => {
      if (value instanceof CryptoKey) {
        if (value.extractable) extractable.push(value.algorithm.name);
        return `CryptoKey ${value.algorithm.name} ${value.usages.join()}`;
      }
      const bytes =
        value instanceof ArrayBuffer
          ? new Uint8Array(value)
          : ArrayBuffer.isView(value)
            ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
            : null;
      if (bytes)
        return `${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')} ${String.fromCharCode(...bytes)}`;
      if (typeof value === 'bigint') return value.toString();
      if (typeof value !== 'object' || value === null) return String(value);
      if (seen.has(value)) return '';
      seen.add(value);
      return Object.entries(value)
        .map(([key, part]) => `${key}: ${write(part)}`)
        .join('\n');
    };
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const parts: string[] = [];
    for (const { name } of await indexedDB.databases()) {
      const db = await done(indexedDB.open(name as string));
      for (const store of db.objectStoreNames) {
        const objects = db.transaction(store).objectStore(store);
        const [keys, values] = await Promise.all([done(objects.getAllKeys()), done(objects.getAll())]);
        parts.push(`${name}/${store}`, write(keys), write(values));
      }
      db.close();
    }
    for (const area of ['local', 'session', 'sync'] as const)
      parts.push(`storage.${area}`, write(await chrome.storage[area].get()));
    parts.push(write({ ...localStorage }), write({ ...sessionStorage }), document.cookie);
    return { text: parts.join('\n'), extractable };
  });
}
