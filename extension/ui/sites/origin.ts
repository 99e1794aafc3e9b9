/** Parses an origin for display, without decoding or shortening it. */

export interface OriginParts {
  scheme: string;
  host: string;
  port: string;
  /** The warning to show: not a web origin, letters from other alphabets, unencrypted, or null. */
  warning: 'odd' | 'foreign-letters' | 'not-encrypted' | null;
}

const ORIGIN = /^([a-z][a-z0-9+.-]*:\/\/)(\[[0-9a-f:.]+\]|[^/:?#@[\]\s]+)(:\d{1,5})?$/;

export function originParts(origin: string): OriginParts {
  const [, scheme, host, port] = ORIGIN.exec(origin) ?? [];
  if (scheme === undefined || host === undefined) return { scheme: '', host: origin, port: '', warning: 'odd' };
  return { scheme, host, port: port ?? '', warning: warningOf(scheme, host) };
}

function warningOf(scheme: string, host: string): OriginParts['warning'] {
  if (/^(?:.*\.)?xn--/.test(host) || /[^\x21-\x7e]/.test(host)) return 'foreign-letters';
  if (scheme === 'https://') return null;
  // Connections to the user's own machine don't have to be encrypted.
  if (scheme === 'http://')
    return /^(?:localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(host) ? null : 'not-encrypted';
  return 'odd';
}

/** Returns an origin's host and port, for lists. Returns other strings unchanged. */
export function hostOf(origin: string): string {
  const { host, port } = originParts(origin);
  return host + port;
}
