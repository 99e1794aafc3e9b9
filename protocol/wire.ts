/**
 * The values on the wire between a page's script, the relay in its frame, the wallet and its windows; what they mean is
 * in `page-messages.ts` and `wallet-messages.ts`. They stand apart from the schemas there, whose library has no place in a
 * page, nor in a window.
 */

/** Marks our messages among a page's own. Its value is the version of this protocol. */
export const CHANNEL = 'service-button/1';
/** Name of the runtime port between relay and wallet. */
export const PAGE_PORT = 'page';
/** Marks messages of the BSV wallet interface (BRC-100, XDM), in which `window.CWI` speaks to the relay. */
export const XDM_TYPE = 'CWI';
/** The relay's second part, from the extension's root: the first loads it for the first message. */
export const REQUESTS_SCRIPT = 'extension/content/requests.js';
/** The relay announces itself with this event. */
export const PRESENT_EVENT = 'wallet-present';
/** The methods that a page may call. */
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
/** What the relay may see of the user's hand; what each means is at `UserActivation` in `page-messages.ts`. */
export const USER_ACTIVATIONS = ['none', 'embedded', 'active', 'new'] as const;
/** Name of the BroadcastChannel on which the background notifies its windows of changes (without content). */
export const CHANGES = 'service-button-changes';

/** Name of the runtime port between the wallet and a frame that a relay has laid over a button. */
export const SWIPE_PORT = 'swipe';
/** The page in that frame, from the extension's root. */
export const SWIPE_PAGE = 'extension/swipe/index.html';
/** In the popup's address, before the id of a payment: it opens with the details of that one. */
export const PAYMENT_HASH = '#payment=';
/** What lays such frames over buttons, from the extension's root: the relay loads it in pages that have one. */
export const OVERLAY_SCRIPT = 'extension/content/overlay.js';
/** A button that has paid thanks for so long (milliseconds); then it says what was paid. */
export const MESSAGE_MS = 2600;
/** Most such frames of a document at once: where the hand can be next. */
export const MOST_SWIPE_FRAMES = 3;
/** Most characters of each text of a `SwipeLook`. */
export const MAX_LOOK_TEXT = 300;
/**
 * Event on a button's element, out of shadow trees too: whether the button can be swiped now. `detail` is, as JSON, what its swipe
 * asks for: the `options` of `payment/request`, and its `service` where there is one; or '' where no frame may cover it.
 */
export const OFFER_EVENT = 'service-button-offer';
/** Event from the relay on that button's track: a person has swiped in the frame over it. */
export const SWIPED_EVENT = 'service-button-swiped';
