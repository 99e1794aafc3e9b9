/** Detects a wallet in this browser, with a single request for all buttons on a page. */
import type { PageResults } from '../../protocol/messages/page-messages.ts';
import type { PaymentError } from './payment-error.ts';

/** How long to wait for a response before the page shows that there is no wallet (milliseconds). */
export const HELLO_WAIT = 600;
/** How long to wait after a relay has received the request (milliseconds). The wallet may be slow to start. */
export const START_WAIT = 5000;

export type Presence = 'unknown' | 'absent' | 'present';

export interface WalletPresence {
  watch(watcher: (presence: Presence) => void): () => void;
  /** Called when a relay announces itself. */
  announce(): void;
  /** Called when a relay has received the request. The relay might never respond, for example on insecure pages. */
  heard(): void;
  /** Returns the wallet's network, undefined until known. */
  network(): string | undefined;
}

/** Creates the detector. `hello` sends the request to the wallet. */
export function createWalletPresence(hello: () => Promise<PageResults['wallet/hello']>): WalletPresence {
  const watchers = new Set<(presence: Presence) => void>();
  let presence: Presence | undefined;
  let network: string | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const giveUpAfter = (milliseconds: number) => {
    clearTimeout(silence);
    silence = setTimeout(() => presence === 'unknown' && set('absent'), milliseconds);
  };

  function set(next: Presence): void {
    if (presence === next) return;
    presence = next;
    for (const watcher of [...watchers]) watcher(next);
  }
  const announce = () => set('present');

  return {
    watch(watcher) {
      watchers.add(watcher);
      if (!presence) {
        presence = 'unknown';
        giveUpAfter(HELLO_WAIT);
        // Even an error shows that there is a wallet, unless the wallet has just disconnected. The next swipe reports
        // the error.
        hello().then(
          (answer) => {
            network = answer.network;
            announce();
          },
          ({ code }: PaymentError) => set(code === 'wallet-disconnected' ? 'absent' : 'present'),
        );
      }
      watcher(presence);
      return () => void watchers.delete(watcher);
    },
    announce,
    heard: () => giveUpAfter(START_WAIT),
    network: () => network,
  };
}
