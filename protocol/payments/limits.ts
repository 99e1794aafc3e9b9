/**
 * Limits for a page's requests. Has no imports, to keep the button's script small. A test compares docs/button.md with
 * these limits.
 */

/** Maximum size of `opReturn` (bytes, UTF-8; specification, section 8). */
export const MAX_OP_RETURN_BYTES = 99_000;
export const MAX_OUTPUTS = 100;
/**
 * Maximum length of a recipient or ASM script (characters). In hexadecimal, this allows slightly more data than
 * `opReturn`.
 */
export const MAX_SCRIPT_TEXT = 200_000;
/** Maximum length of a paymail (characters): 64 before the @, 255 for the host name. */
export const MAX_PAYMAIL = 320;
/** Maximum length of an amount (characters). */
export const MAX_AMOUNT = 40;
/** Maximum length of `clientIdentifier` (characters). */
export const MAX_CLIENT_IDENTIFIER = 100;
export const MAX_CRYPTO_OPERATIONS = 20;
/** Maximum length of a crypto operation's data (characters). */
export const MAX_CRYPTO_TEXT = 200_000;
/** Maximum total size of a payment's scripts that contain results of crypto operations (bytes). */
export const MAX_SUBSTITUTED_BYTES = 200_000;
/** Maximum total length of a request's recipients, scripts, `opReturn`, metadata and operation inputs (characters). */
export const MAX_REQUEST_DATA = 400_000;
/** Maximum length of a request's JSON (characters). Each of 99,000 control characters is escaped to six characters. */
export const MAX_REQUEST_LENGTH = 1_000_000;

/** Maximum length of the user's own note on a payment (characters). */
export const MAX_NOTE_LENGTH = 500;

/** Maximum length of a BRC-100 call's JSON (characters). Each of a million bytes needs up to four characters. */
export const MAX_CALL_LENGTH = 4_000_000;
export const MAX_CALL_ITEMS = 1000;
/** Maximum number of labels, tags or transaction IDs in one list of a BRC-100 call. */
export const MAX_CALL_NAMES = 100;
/** Maximum size of an application's `customInstructions` (bytes). */
export const MAX_CUSTOM_INSTRUCTIONS = 10_000;

/** Maximum number of permissions in a site's manifest. */
export const MAX_GROUPED = 50;
/** Maximum number of contacts in a wallet. */
export const MAX_CONTACTS = 500;
/** Maximum length of a contact's name (characters). */
export const MAX_CONTACT_NAME = 60;
