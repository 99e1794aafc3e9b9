/** Parses an origin for display. It is never decoded or shortened. */

/** The parts of an origin. `odd` if it lacks the form of a web origin. */
export interface OriginParts {
  scheme: string;
  host: string;
  port: string;
  /** Its warning, if any: not a web origin, letters of other scripts, no encryption. */
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
  // The user's own machine is reached without a network.
  if (scheme === 'http://')
    return /^(?:localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(host) ? null : 'not-encrypted';
  return 'odd';
}

/** The host (and port) of an origin, for lists. Other texts are returned unchanged. */
export function hostOf(origin: string): string {
  const { host, port } = originParts(origin);
  return host + port;
}
