/**
 * Values on the wire between page script, relay, wallet and windows, documented in `page-messages.ts` and
 * `wallet-messages.ts`, whose library is too large for pages and windows.
 */

/** Marks our messages among a page's own. Its value is the version of this protocol. */
export const CHANNEL = 'service-button/1';
/** Name of the runtime port between relay and wallet. */
export const PAGE_PORT = 'page';
/** Marks messages of the BSV wallet interface (BRC-100, XDM), in which `window.CWI` speaks to the relay. */
export const XDM_TYPE = 'CWI';
/** The relay's second part, from the extension's root, which the first message loads. */
export const REQUESTS_SCRIPT = 'extension/content/requests.js';
/** The relay announces itself with this event. */
export const PRESENT_EVENT = 'wallet-present';
export const PAGE_METHODS = [
  'wallet/hello',
  'rates/read',
  'payment/request',
  'payment/outcome',
  'allowance/left',
  'allowance/ask',
  'identity/sign-in',
  'asset/mint',
  'brc100/call',
] as const;
/** The methods of the BSV wallet interface (BRC-100), in its order. */
export const BRC100_METHODS = [
  'createAction',
  'signAction',
  'abortAction',
  'listActions',
  'internalizeAction',
  'listOutputs',
  'relinquishOutput',
  'getPublicKey',
  'revealCounterpartyKeyLinkage',
  'revealSpecificKeyLinkage',
  'encrypt',
  'decrypt',
  'createHmac',
  'verifyHmac',
  'createSignature',
  'verifySignature',
  'acquireCertificate',
  'listCertificates',
  'proveCertificate',
  'relinquishCertificate',
  'discoverByIdentityKey',
  'discoverByAttributes',
  'isAuthenticated',
  'waitForAuthentication',
  'getHeight',
  'getHeaderForHeight',
  'getNetwork',
  'getVersion',
] as const;
/** The user activation as the relay sees it. Its values are documented at `UserActivation` in `page-messages.ts`. */
export const USER_ACTIVATIONS = ['none', 'embedded', 'active', 'new'] as const;
/** Name of the BroadcastChannel on which the background notifies its windows of changes (without content). */
export const CHANGES = 'service-button-changes';

/** Name of the runtime port between the wallet and a frame over a button. */
export const SWIPE_PORT = 'swipe';
/** The page in that frame, from the extension's root. */
export const SWIPE_PAGE = 'extension/swipe/index.html';
/** In the popup's address, before the id of a payment: opens that payment's details. */
export const PAYMENT_HASH = '#payment=';
/** The script that puts such frames over buttons, from the extension's root, for pages with a button. */
export const OVERLAY_SCRIPT = 'extension/content/overlay.js';
/** How long a button that has paid shows its thanks (milliseconds), before it shows the paid amount. */
export const MESSAGE_MS = 2600;
/** Maximum number of a document's concurrent frames: the buttons that the pointer can reach next. */
export const MOST_SWIPE_FRAMES = 3;
/** Maximum length of each text of a `SwipeLook` (characters). */
export const MAX_LOOK_TEXT = 300;
/**
 * Event on a button's element, also out of shadow trees: whether the button can be swiped now. `detail` is the request
 * as JSON (the `options` of `payment/request`, and its `service` if any); '' if no frame may cover it.
 */
export const OFFER_EVENT = 'service-button-offer';
/** Event from the relay on that button's track: a user swiped in the frame over it. */
export const SWIPED_EVENT = 'service-button-swiped';
