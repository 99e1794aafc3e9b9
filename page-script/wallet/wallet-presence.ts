/** Detects a wallet in this browser, with one request for all buttons of a page. */
import type { PageResults } from '../../protocol/messages/page-messages.ts';
import type { PaymentError } from './payment-error.ts';

/** Milliseconds without a response until the page shows that there is no wallet. A later one still counts. */
export const HELLO_WAIT = 600;
/** The same, once a relay has the request. Its wallet may have to start first, which takes long on a busy machine. */
export const START_WAIT = 5000;

export type Presence = 'unknown' | 'absent' | 'present';

export interface WalletPresence {
  watch(watcher: (presence: Presence) => void): () => void;
  /** Called when a relay announced itself unprompted. */
  announce(): void;
  /** Called when a relay has the request. It may never respond: a wallet serves no page of an insecure site. */
  heard(): void;
  /** The wallet's network; undefined until it is known. */
  network(): string | undefined;
}

/** Creates the detector. `hello` sends the request. */
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
        // Any response shows that a wallet is there, and a swipe will report its error; unless the wallet has just
        // disconnected.
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
