/** What is shown once, on the page after a form was sent: that it worked, and new secrets. */
import type { CookieOptions, Request, Response } from 'express';
import * as z from 'zod/mini';

/** The sentences, by what was done. */
export const NOTICES = {
  'profile-saved': 'Profile saved.',
  'picture-saved': 'Picture saved.',
  'picture-removed': 'Picture removed.',
  'application-created': 'Application created.',
  'application-saved': 'Changes saved.',
  'logo-saved': 'Logo saved.',
  'logo-removed': 'Logo removed.',
  'client-secret-changed': 'New client secret created. The old one no longer works.',
  'webhook-secret-changed': 'New webhook secret created. Events are now signed with it.',
  'webhook-secret-ended': 'The old webhook secret has expired. Events are signed only with the new one.',
  'test-event-sent': 'Test event sent. The result appears below.',
  'application-deleted': 'Application deleted.',
  'connection-revoked': 'Access removed.',
  'event-resent': 'Resending the event.',
} as const;

const flash = z.object({
  notice: z.enum(Object.keys(NOTICES) as [keyof typeof NOTICES, ...(keyof typeof NOTICES)[]]),
  clientSecret: z.optional(z.string()),
  webhookSecret: z.optional(z.string()),
});
/** See {@link NOTICES}. A secret is shown only where it is the one that the application has. */
export type Flash = z.infer<typeof flash>;

/** A minute is more than a redirect takes. */
const KEPT_MS = 60_000;
const nameOf = (secure: boolean) => (secure ? '__Host-flash' : 'flash');
// Only this service's pages send it back, no script reads it, and it is gone once it is shown.
const optionsOf = (secure: boolean): CookieOptions => ({ httpOnly: true, secure, sameSite: 'strict', path: '/' });

/** Keeps it, in the browser alone, for the page that comes next. */
export function setFlash(response: Response, secure: boolean, value: Flash): void {
  response.cookie(nameOf(secure), Buffer.from(JSON.stringify(value)).toString('base64url'), {
    ...optionsOf(secure),
    maxAge: KEPT_MS,
  });
}

/** Takes it, so that it is not shown again. */
export function takeFlash(request: Request, response: Response, secure: boolean): Flash | null {
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
