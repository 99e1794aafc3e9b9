/** Parses `X-Forwarded-For` in all formats that proxies use, including ports and brackets. */
import { isIP } from 'node:net';
import type { RequestHandler } from 'express';

/** Returns an entry's IP address without brackets or port (`203.0.113.9:1`, `[2001:db8::1]:443`), or null. */
function addressIn(entry: string): string | null {
  const text = entry.trim();
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([^:]*):\d{1,5}$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? null : bare;
}

/**
 * Returns the header with IP addresses only. An entry without an IP address (`unknown`, a name) can't identify the
 * client, nor can entries to its left. The request is then attributed to the proxy that added the entry.
 */
export function cleanForwardedFor(header: string): string | null {
  const addresses = header.split(',').map(addressIn);
  const known = addresses.slice(addresses.lastIndexOf(null) + 1);
  return known.length === 0 ? null : known.join(', ');
}

/** Cleans the header before Express derives `request.ip`, the key for rate limits. */
export const readForwardedFor: RequestHandler = ({ headers }, _response, next) => {
  const given = headers['x-forwarded-for'];
  if (given !== undefined) {
    const clean = cleanForwardedFor(String(given));
    if (clean === null) delete headers['x-forwarded-for'];
    else headers['x-forwarded-for'] = clean;
  }
  next();
};
