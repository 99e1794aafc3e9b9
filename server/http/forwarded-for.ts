/** Reads `X-Forwarded-For` in the forms that proxies write, not only plain addresses. */
import { isIP } from 'node:net';
import type { RequestHandler } from 'express';

/** The address in an entry, without brackets and port (`203.0.113.9:1`, `[2001:db8::1]:443`); null if there is none. */
function addressIn(entry: string): string | null {
  const text = entry.trim();
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([^:]*):\d{1,5}$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? null : bare;
}

/**
 * The header with addresses only. An entry that isn't one (`unknown`, a name) doesn't identify the client, nor do
 * entries to its left: the request then counts as the proxy's that wrote it.
 */
export function cleanForwardedFor(header: string): string | null {
  const addresses = header.split(',').map(addressIn);
  const known = addresses.slice(addresses.lastIndexOf(null) + 1);
  return known.length === 0 ? null : known.join(', ');
}

/** Cleans the header before Express derives `request.ip` from it, the key of rate limits. */
export const readForwardedFor: RequestHandler = ({ headers }, _response, next) => {
  const given = headers['x-forwarded-for'];
  if (given !== undefined) {
    const clean = cleanForwardedFor(String(given));
    if (clean === null) delete headers['x-forwarded-for'];
    else headers['x-forwarded-for'] = clean;
  }
  next();
};
