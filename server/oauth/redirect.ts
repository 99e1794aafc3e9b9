/** OAuth responses sent to the application through the browser. */
import type { Response } from 'express';

/**
 * Returns the registered URL with the response's form-encoded parameters appended to its query (RFC 6749, sections
 * 3.1.2 and 4.1.2).
 */
export function redirectAddress(redirectUri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const added = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const joint = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return `${redirectUri}${joint}${added.toString()}`;
}

/** Redirects with GET (303; RFC 9700, section 4.12). Neither URL is cached or sent as a referrer. */
export function sendOn(response: Response, address: string): void {
  response.status(303).set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).location(address).end();
}
