/**
 * The values on the wire between a page's script, the relay in its frame, the wallet and its windows; what they mean is
 * in `page-messages.ts` and `wallet-messages.ts`. They stand apart from the schemas there, whose library has no place in a
 * page, nor in a window.
 */

/** Marks our messages among a page's own. Its value is the version of this protocol. */
export const CHANNEL = 'service-button/1';
/** Name of the runtime port between relay and wallet. */
export const PAGE_PORT = 'page';
/** The relay announces itself with this event. */
export const PRESENT_EVENT = 'wallet-present';
/** The methods that a page may call. */
export const PAGE_METHODS = [
  'wallet/hello',
  'rates/read',
  'payment/request',
  'allowance/left',
  'allowance/ask',
  'identity/sign-in',
] as const;
/** What the relay may see of the user's hand; what each means is at `UserActivation` in `page-messages.ts`. */
export const USER_ACTIVATIONS = ['none', 'embedded', 'active', 'new'] as const;
/** Name of the BroadcastChannel on which the background notifies its windows of changes (without content). */
export const CHANGES = 'service-button-changes';
