/** Whether there is a wallet in this browser: one request for all buttons of a page. */
import type { PageResults } from '../protocol/page-messages.ts';
import type { PaymentError } from './payment-error.ts';

/** Milliseconds without an answer after which the page says that there is no wallet. A later answer still counts. */
export const HELLO_WAIT = 600;
/** The same, once a relay has the question: its wallet may have to start first, which takes long on a busy machine. */
export const START_WAIT = 5000;

/** Not known yet, not there, there. */
export type Presence = 'unknown' | 'absent' | 'present';

/** Asks once, for the first watcher, and reports every change from then on. */
export interface WalletPresence {
  /** Calls `watcher` now and whenever the answer changes, until the returned function is called. */
  watch(watcher: (presence: Presence) => void): () => void;
  /** A relay announced itself without being asked. */
  announce(): void;
  /** A relay has the question. It may still be none that answers: a wallet serves no page of an insecure site. */
  heard(): void;
  /** The wallet's network; undefined until it is known. */
  network(): string | undefined;
}

/** See {@link WalletPresence}. */
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
        // Any answer shows that a wallet is there, and a swipe will say what is wrong with it; unless it has just gone.
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
