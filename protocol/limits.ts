/**
 * The most of everything that a page may ask for. Without imports, so that the button's script can check the same
 * numbers before it draws anything; the tables of docs/button.md are held to them by a test.
 */

/** Most bytes that `opReturn` may hold, UTF-8 (specification, section 8). */
export const MAX_OP_RETURN_BYTES = 99_000;
/** Most outputs that one request may name. */
export const MAX_OUTPUTS = 100;
/**
 * Most characters of a recipient or script as a page writes it: in ASM, as much data as `opReturn` takes and a little
 * more.
 */
export const MAX_SCRIPT_TEXT = 200_000;
/** Most characters of a paymail: 64 before the @, 255 of a host name behind it. */
export const MAX_PAYMAIL = 320;
/** Most characters of an amount. */
export const MAX_AMOUNT = 40;
/** Most characters of `clientIdentifier`. */
export const MAX_CLIENT_IDENTIFIER = 100;
/** Most crypto operations that one request may name. */
export const MAX_CRYPTO_OPERATIONS = 20;
/** Most characters of the data of one crypto operation. */
export const MAX_CRYPTO_TEXT = 200_000;
/** Most bytes, over all outputs, of scripts that values of crypto operations were put in. */
export const MAX_SUBSTITUTED_BYTES = 200_000;
/**
 * Most characters of a request's data in all: recipients, scripts, `opReturn`, metadata and what its crypto
 * operations are given, together.
 */
export const MAX_REQUEST_DATA = 400_000;
/** Largest request, in characters of its JSON: 99,000 control characters take six each. */
export const MAX_REQUEST_LENGTH = 1_000_000;

/** Most characters of a note of the user's own on what they send. */
export const MAX_NOTE_LENGTH = 500;

/** Largest call of the BSV wallet interface (BRC-100), in characters of its JSON: a million bytes take four each. */
export const MAX_CALL_LENGTH = 4_000_000;
/** Most inputs or outputs of such a call. */
export const MAX_CALL_ITEMS = 1000;
/** Most labels, tags or transaction IDs in a list of such a call. */
export const MAX_CALL_NAMES = 100;
/** Most bytes of the instructions that an application keeps with an output. */
export const MAX_CUSTOM_INSTRUCTIONS = 10_000;

/** Most contacts that a wallet keeps, and most characters of a contact's name. */
export const MAX_CONTACTS = 500;
export const MAX_CONTACT_NAME = 60;
