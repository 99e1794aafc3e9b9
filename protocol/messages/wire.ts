/**
 * Constants for the messages between the page script, the relay, the wallet and its windows. The message schemas, in
 * `page-messages.ts` and `wallet-messages.ts`, need a library that is too large for pages and windows.
 */

/** Distinguishes our messages from the page's own. Contains the protocol's version. */
export const CHANNEL = 'service-button/1';
/** Name of the runtime port between the relay and the wallet. */
export const PAGE_PORT = 'page';
/** Identifies messages of the BSV wallet interface (BRC-100, XDM), which `window.CWI` exchanges with the relay. */
export const XDM_TYPE = 'CWI';
/**
 * Path of the relay's second part, relative to the extension's root. Loaded when the relay receives the first message.
 */
export const REQUESTS_SCRIPT = 'extension/content/requests.js';
/** Event that the relay dispatches to announce itself. */
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
/** The methods of the BSV wallet interface (BRC-100), in the standard's order. */
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
/** The possible user activations (see `UserActivation` in `page-messages.ts`). */
export const USER_ACTIVATIONS = ['none', 'embedded', 'active', 'new'] as const;
/** Name of the BroadcastChannel on which the background announces changes to its windows, without the changed data. */
export const CHANGES = 'service-button-changes';

/** Name of the runtime port between the wallet and an overlay frame. */
export const SWIPE_PORT = 'swipe';
/** Path of the page in an overlay frame, relative to the extension's root. */
export const SWIPE_PAGE = 'extension/swipe/index.html';
/** Prefix of the popup's URL hash that opens a payment's details. The payment's ID follows the prefix. */
export const PAYMENT_HASH = '#payment=';
/**
 * Path of the script that puts overlay frames over buttons, relative to the extension's root. Loaded only in pages with
 * a button.
 */
export const OVERLAY_SCRIPT = 'extension/content/overlay.js';
/** How long a button shows its success message before it shows the receipt (milliseconds). */
export const MESSAGE_MS = 2600;
/** Maximum number of concurrent overlay frames in a document. The frames cover the buttons nearest to the pointer. */
export const MAX_SWIPE_FRAMES = 3;
/** Maximum length of each string in a `SwipeLook` (characters). */
export const MAX_LOOK_TEXT = 300;
/**
 * Event on a button's element, across shadow boundaries. Dispatched when a swipe's request changes or swipes become
 * impossible. `detail` is the request as JSON (the `options` and `service` of `payment/request`), or '' if no frame may
 * cover the button.
 */
export const OFFER_EVENT = 'service-button-offer';
/** Event that the relay dispatches on the button's track when the user has swiped in the frame over it. */
export const SWIPED_EVENT = 'service-button-swiped';
