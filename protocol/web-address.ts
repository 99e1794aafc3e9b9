/** Web addresses that applications name: where they are, where people are sent back to, where events are sent. */

/** The characters that RFC 3986 allows in an address. `URL` accepts many more: spaces, tabs, backslashes. */
const CHARACTERS = /^https?:\/\/(?!\/)[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i;
/**
 * Parameters of the authorization answer (RFC 6749, section 4.1.2; RFC 9207): an address with one of its own would
 * confuse them.
 */
const ANSWERS = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri'];

/** True for the names of this machine, as `URL` writes them. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}

/** The address, where it is an absolute one of http or https without user, password and fragment; else null. */
function webAddress(text: string): URL | null {
  if (!CHARACTERS.test(text) || text.includes('#') || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? url : null;
}

/** True for an https address, or http on this machine. */
export function isSiteAddress(text: string): boolean {
  const url = webAddress(text);
  return url !== null && (url.protocol === 'https:' || isLoopbackHost(url.hostname));
}

/**
 * True for an address that people may be sent back to with a code (RFC 6749, section 3.1.2: absolute, without a
 * fragment).
 */
export function isRedirectAddress(text: string): boolean {
  return isSiteAddress(text) && ANSWERS.every((name) => !new URL(text).searchParams.has(name));
}
