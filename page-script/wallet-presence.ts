/** Is there a wallet in this browser? One question for all buttons of a page. */
import type { PageResults } from '../protocol/page-messages.ts';
import { PaymentError } from './payment-error.ts';

/** Milliseconds without an answer after which the page says that there is no wallet. A later answer still counts. */
export const HELLO_WAIT = 600;

/** Not known yet, not there, there. */
export type Presence = 'unknown' | 'absent' | 'present';

/** Asks once, on the first watcher, and tells every change from then on. */
export class WalletPresence {
  readonly #hello: () => Promise<PageResults['wallet/hello']>;
  readonly #watchers = new Set<(presence: Presence) => void>();
  #presence: Presence | null = null;

  constructor(hello: () => Promise<PageResults['wallet/hello']>) {
    this.#hello = hello;
  }

  /** Calls `watcher` now and whenever the answer changes, until the returned function is called. */
  watch(watcher: (presence: Presence) => void): () => void {
    this.#watchers.add(watcher);
    if (this.#presence === null) this.#ask();
    watcher(this.#presence ?? 'unknown');
    return () => void this.#watchers.delete(watcher);
  }

  /** A relay said of its own accord that it is there. */
  announce(): void {
    this.#set('present');
  }

  #ask(): void {
    this.#presence = 'unknown';
    setTimeout(() => this.#presence === 'unknown' && this.#set('absent'), HELLO_WAIT);
    this.#hello().then(
      () => this.#set('present'),
      // Any answer shows that a wallet is there, and a swipe will say what is wrong with it; unless it has just gone.
      (error: unknown) => this.#set(error instanceof PaymentError && error.code === 'wallet-disconnected' ? 'absent' : 'present'),
    );
  }

  #set(presence: Presence): void {
    if (this.#presence === presence) return;
    this.#presence = presence;
    for (const watcher of [...this.#watchers]) watcher(presence);
  }
}
