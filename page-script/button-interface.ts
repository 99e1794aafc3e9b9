import type { ButtonState } from './button/face.ts';
import type { RawOptions } from './options/plain.ts';
import type { Wallet } from './wallet/wallet.ts';

export interface ButtonSurroundings {
  /**
   * Returns the wallet. Only buttons that need a wallet call this, so a page that has only demos never sends the wallet
   * a message.
   */
  wallet(): Wallet;
  /** Target of the "Get the wallet" link, or null if unknown. */
  serviceUrl: string | null;
  isFile?: boolean;
  /** True if the script can't determine its service, to which payments must be reported. */
  isLost?: boolean;
}

export interface PayButton {
  /**
   * Replaces all options. A payment in progress continues, and a receipt remains. If the new options request a
   * different payment, a paid button becomes ready again.
   */
  replace(given: RawOptions): void;
  update(given: RawOptions): void;
  /** Returns the button's state. The page can remove the element's `data-state`, but not this state. */
  state(): ButtonState;
  /** Pass true while the element is outside the document. Another button can then take over the payment. */
  setAway(is: boolean): void;
  /** Redraws the button after an external change, such as a new page language. */
  draw(): void;
  /** Ends the button. A payment in progress still calls the page's callbacks, because it must be reported. */
  destroy(): void;
}
