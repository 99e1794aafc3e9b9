/** Validates the URLs that applications register: home page, redirect URLs, webhook URLs. */

/**
 * An absolute URL without a username, password or fragment (RFC 3986). `URL` also accepts invalid URLs, such as one
 * with an empty username.
 */
const ADDRESS = /^https?:\/\/(?!\/|[^/?]*@)[\w\-.~:/?[\]@!$&'()*+,;=%]+$/i;
/** Parameters of the authorization response (RFC 6749, 4.1.2; RFC 9207), which a redirect URL can't contain. */
const ANSWERS = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri'];

/** True for host names that refer to this machine, as normalized by `URL`. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}

/** True for an absolute https URL, or an http URL on this machine, without a username, password or fragment. */
export function isSiteAddress(text: string): boolean {
  if (!ADDRESS.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || isLoopbackHost(hostname);
}

/** True for a valid redirect URL (RFC 6749, section 3.1.2: absolute, without a fragment). */
export function isRedirectAddress(text: string): boolean {
  return isSiteAddress(text) && ANSWERS.every((name) => !new URL(text).searchParams.has(name));
}
