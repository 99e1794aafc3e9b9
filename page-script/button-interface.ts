import type { ButtonState } from './button/face.ts';
import type { GivenOptions } from './options/plain.ts';
import type { Wallet } from './wallet/wallet.ts';

export interface ButtonSurroundings {
  /** The wallet; requested only by buttons that need one, so that a page of demos contacts nothing. */
  wallet(): Wallet;
  /** The target of "Get the wallet"; null if unknown. */
  serviceUrl: string | null;
  isFile?: boolean;
  /** The script can't find its service, which would never learn of a payment. */
  isLost?: boolean;
}

export interface PayButton {
  /**
   * Replaces all options. A payment in progress continues unchanged, and its receipt stays. A different payment makes a
   * paid button ready again.
   */
  replace(given: GivenOptions): void;
  update(given: GivenOptions): void;
  /** Its state, which the page's scripts may have removed from the element. */
  state(): ButtonState;
  /** Leaves its payment to another button while its element is out of the document, and takes it back. */
  setAway(is: boolean): void;
  /** Redraws it after a change around it, such as the page's language. */
  draw(): void;
  /** Ends it. A payment in progress still calls the page back, because money that moved must be reported. */
  destroy(): void;
}
