/** Connects the wallet to the browser: its pages, its windows, and the events of an extension. */
import type { Runtime } from 'webextension-polyfill';
import { start, startedUp, updated } from '../../wallet/start.ts';
import type { Wallet } from '../../wallet/platform.ts';
import { reachOpenTabs } from './open-tabs.ts';
import { servePort, serveWindow } from './router.ts';

/**
 * Starts the wallet in a service worker that was just loaded. Registers every listener before it returns, as a browser
 * requires of a worker that an event has started.
 */
export function startExtension(wallet: Wallet): void {
  start(wallet);
  wallet.runtime.onConnect.addListener((port) => servePort(wallet, port));
  wallet.runtime.onMessage.addListener(((message: unknown, sender: Runtime.MessageSender) =>
    serveWindow(wallet, message, sender)) as Runtime.OnMessageListener);
  wallet.runtime.onStartup.addListener(() => startedUp(wallet));
  wallet.runtime.onInstalled.addListener(({ reason }) => {
    if (reason === 'update') updated(wallet);
    if (reason === 'install')
      void wallet.tabs.create({ url: wallet.runtime.getURL('extension/onboarding/index.html') });
  });
  // Firefox deletes unmarked storage when the disk is full, and marks an extension's with `unlimitedStorage` without a
  // prompt. In Chrome the permission is enough, and a service worker can't request more.
  void wallet.storageManager?.persist?.();
  void reachOpenTabs(wallet).catch(() => undefined);
}
