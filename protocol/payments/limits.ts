/** Limits of a page's requests. Without imports, for the button's script. A test compares them with docs/button.md. */

/** Maximum number of bytes in `opReturn`, UTF-8 (specification, section 8). */
export const MAX_OP_RETURN_BYTES = 99_000;
export const MAX_OUTPUTS = 100;
/** Maximum characters of a recipient or script in ASM: slightly more data than `opReturn` allows. */
export const MAX_SCRIPT_TEXT = 200_000;
/** Maximum number of characters of a paymail: 64 before the @, 255 for the host name after it. */
export const MAX_PAYMAIL = 320;
/** Maximum number of characters of an amount. */
export const MAX_AMOUNT = 40;
/** Maximum number of characters of `clientIdentifier`. */
export const MAX_CLIENT_IDENTIFIER = 100;
export const MAX_CRYPTO_OPERATIONS = 20;
/** Maximum number of characters of a crypto operation's data. */
export const MAX_CRYPTO_TEXT = 200_000;
/** Maximum number of bytes, over all outputs, of scripts with inserted values of crypto operations. */
export const MAX_SUBSTITUTED_BYTES = 200_000;
/** Maximum characters of a request's recipients, scripts, `opReturn`, metadata and operation inputs together. */
export const MAX_REQUEST_DATA = 400_000;
/** Maximum length of a request's JSON (characters): 99,000 control characters take six each. */
export const MAX_REQUEST_LENGTH = 1_000_000;

/** Maximum number of characters of the user's own note on a payment. */
export const MAX_NOTE_LENGTH = 500;

/** Maximum length of a BRC-100 call's JSON (characters): a million bytes take four each. */
export const MAX_CALL_LENGTH = 4_000_000;
export const MAX_CALL_ITEMS = 1000;
/** Maximum number of labels, tags or transaction IDs in a list of such a call. */
export const MAX_CALL_NAMES = 100;
/** Maximum number of bytes of an application's `customInstructions`. */
export const MAX_CUSTOM_INSTRUCTIONS = 10_000;

/** Maximum number of permissions that a site's manifest can request together. */
export const MAX_GROUPED = 50;
/** Maximum number of a wallet's contacts, and maximum length of a contact's name (characters). */
export const MAX_CONTACTS = 500;
export const MAX_CONTACT_NAME = 60;
