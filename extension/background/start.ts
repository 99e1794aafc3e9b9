/** Connects the wallet to the browser: pages, windows and extension events. */
import type { Runtime } from 'webextension-polyfill';
import { start, startedUp, updated } from '../../wallet/start.ts';
import type { Wallet } from '../../wallet/platform.ts';
import { reachOpenTabs } from './open-tabs.ts';
import { servePort, serveWindow } from './router.ts';

/**
 * Starts the wallet in a newly loaded service worker. Registers all listeners synchronously, because the worker may
 * have been started by an event that would otherwise be lost.
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
  // Requests persistence, because Firefox may otherwise delete the data if the disk is full. The `unlimitedStorage`
  // permission avoids a prompt. In Chrome, the permission is sufficient, and a service worker can't request
  // persistence.
  void wallet.storageManager?.persist?.();
  void reachOpenTabs(wallet).catch(() => undefined);
}
