import type { ButtonState } from './button/face.ts';
import type { GivenOptions } from './options/plain.ts';
import type { Wallet } from './wallet/wallet.ts';

export interface ButtonSurroundings {
  /** Returns the wallet. Only buttons that need a wallet call this, so a page of demos contacts nothing. */
  wallet(): Wallet;
  /** The target of "Get the wallet", null if unknown. */
  serviceUrl: string | null;
  isFile?: boolean;
  /** True if the script can't find its service, which therefore wouldn't receive payment reports. */
  isLost?: boolean;
}

export interface PayButton {
  /**
   * Replaces all options. A payment in progress and its receipt remain. If the new options request a different payment,
   * a paid button becomes ready again.
   */
  replace(given: GivenOptions): void;
  update(given: GivenOptions): void;
  /** Returns the button's state. The element's `data-state` could have been removed by the page. */
  state(): ButtonState;
  /** Releases the button's payment for another button while its element is outside the document. */
  setAway(is: boolean): void;
  /** Redraws the button after a change around it, such as the page's language. */
  draw(): void;
  /** Ends the button. A payment in progress still calls the page's callbacks, because it must be reported. */
  destroy(): void;
}
