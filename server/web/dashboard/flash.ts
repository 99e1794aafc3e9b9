/** One-time messages after a form submission: success notices and new secrets. */
import type { CookieOptions, Request, Response } from 'express';
import * as z from 'zod/mini';
import type { AccountTexts } from '../../page/texts.ts';
import { SITE_TEXTS } from '../../page/texts.ts';

/** Identifiers of notices. Their text is in the catalogs. */
const NOTICES = Object.keys(SITE_TEXTS.en.account.notices) as (keyof AccountTexts['notices'])[];

const flash = z.object({
  notice: z.enum(NOTICES),
  clientSecret: z.optional(z.string()),
  webhookSecret: z.optional(z.string()),
});
/** The content of the cookie. A secret is shown only if it is the application's current secret. */
export type Flash = z.infer<typeof flash>;

/** Lifetime of the cookie, longer than any redirect takes (ms). */
const KEPT_MS = 60_000;
const nameOf = (secure: boolean) => (secure ? '__Host-flash' : 'flash');
// The cookie is sent only to this service, hidden from scripts, and deleted once shown.
const optionsOf = (secure: boolean): CookieOptions => ({ httpOnly: true, secure, sameSite: 'strict', path: '/' });

/** Stores a message for the next page in a cookie. */
export function setFlash(response: Response, secure: boolean, value: Flash): void {
  response.cookie(nameOf(secure), Buffer.from(JSON.stringify(value)).toString('base64url'), {
    ...optionsOf(secure),
    maxAge: KEPT_MS,
  });
}

/** Reads the message and deletes the cookie. */
export function consumeFlash(request: Request, response: Response, secure: boolean): Flash | null {
  const prefix = `${nameOf(secure)}=`;
  const found = (request.headers.cookie ?? '').split(/; */).find((one) => one.startsWith(prefix));
  if (found === undefined) return null;
  response.clearCookie(nameOf(secure), optionsOf(secure));
  try {
    const read = flash.safeParse(JSON.parse(Buffer.from(found.slice(prefix.length), 'base64url').toString('utf8')));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
