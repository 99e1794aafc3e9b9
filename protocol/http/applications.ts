/** API bodies for a user's own applications. Users and API clients see the validation messages. */
import * as z from 'zod/mini';
import { isShownLine, isShownText, isVisible } from '../text/shown-text.ts';
import { isRedirectAddress, isSiteAddress } from '../text/web-address.ts';

/** Maximum number of applications per user. */
export const MAX_APPLICATIONS = 50;

const line = (what: string, most: number) =>
  z.string(`${what} must be text.`).check(z.maxLength(most, `${what} must be at most ${most} characters.`));
const address = (what: string, isRight: (text: string) => boolean) =>
  line(what, 500).check(
    z.refine(
      (text) => text.length > 500 || isRight(text),
      `${what} must begin with https:// (or http:// on this machine) and can’t contain #, a user or a password.`,
    ),
  );
/** True for a valid URL, or for an empty string, which means "none". */
const isNoneOrSite = (text: string) => text === '' || isSiteAddress(text);
const choice = (what: string) => z.optional(z.boolean(`${what} must be true or false.`));

/** POST /api/v2/me/applications. Omitted fields are empty, null or false. */
export const newApplication = z.strictObject({
  name: line('The name', 60).check(
    z.refine(isVisible, 'The name can’t be empty.'),
    z.refine((text) => isShownLine(text), 'The name contains characters that can’t be displayed.'),
  ),
  url: address('The site', isSiteAddress),
  description: z.optional(
    line('The description', 500).check(
      z.refine(isShownText, 'The description contains characters that can’t be displayed.'),
    ),
  ),
  redirectUri: z.optional(
    z.nullable(
      address('The redirect URL', isNoneOrSite).check(
        z.refine(
          (text) => !isNoneOrSite(text) || text === '' || isRedirectAddress(text),
          'The redirect URL can’t contain the parameters code, state, iss or error. The response adds them.',
        ),
      ),
    ),
  ),
  webhookUrl: z.optional(z.nullable(address('The webhook URL', isNoneOrSite))),
  /**
   * Null or omitted for the signed body (recommended). Otherwise, the secret to include in the original service's body
   * `{secret, payment}`.
   */
  webhookBodySecret: z.optional(
    z.nullable(
      line('The webhook body secret', 200).check(
        z.refine(isVisible, 'The webhook body secret can’t be empty.'),
        z.refine((text) => isShownLine(text), 'The webhook body secret contains characters that can’t be displayed.'),
      ),
    ),
  ),
  requirePkce: choice('requirePkce'),
  requireSecret: choice('requireSecret'),
});

/** PATCH /api/v2/me/applications/{id}: omitted fields remain unchanged. */
export const changedApplication = z.partial(newApplication);

/**
 * An application, as returned to its owner. Buttons and HTTP Basic use `clientIdentifier`. The authorization code flow
 * uses `oauthIdentifier`.
 */
export const ownApplication = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  description: z.string(),
  clientIdentifier: z.string(),
  oauthIdentifier: z.string(),
  redirectUri: z.nullable(z.string()),
  webhookUrl: z.nullable(z.string()),
  /** Whether webhooks have the signed body or the original service's body with a secret chosen by the owner. */
  webhookBody: z.enum(['signed', 'with-secret']),
  /**
   * Expiry of the previous webhook secret. Until then, webhooks are signed with both secrets. Null if there is none.
   */
  previousWebhookSecretExpiresAt: z.nullable(z.string()),
  requirePkce: z.boolean(),
  requireSecret: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type OwnApplication = z.infer<typeof ownApplication>;

/** 200 response to GET and PATCH /api/v2/me/applications/{id} */
export const applicationResponse = z.object({ application: ownApplication });
/** 201 response to POST /api/v2/me/applications, the only response with both secrets. */
export const createdApplicationResponse = z.object({
  application: z.object({ ...ownApplication.shape, clientSecret: z.string(), webhookSecret: z.string() }),
});
/** 200 response to POST …/{id}/secret: the new client secret, never shown again. */
export const clientSecretResponse = z.object({
  application: z.object({ ...ownApplication.shape, clientSecret: z.string() }),
});
/** Maximum time for which webhooks are also signed with a replaced secret (seconds). */
export const MAX_SECRET_OVERLAP = 7 * 24 * 3600;
/** POST …/{id}/webhook-secret. */
export const replacedWebhookSecret = z.strictObject({
  /** How long webhooks are also signed with the previous secret (seconds). Default: 0. */
  previousExpiresIn: z.optional(
    z
      .int('previousExpiresIn must be a whole number of seconds.')
      .check(
        z.minimum(0, 'previousExpiresIn must not be negative.'),
        z.maximum(MAX_SECRET_OVERLAP, 'previousExpiresIn must be at most 604800 seconds (seven days).'),
      ),
  ),
});
/** 200 response to POST …/{id}/webhook-secret: the new webhook secret, never shown again. */
export const webhookSecretResponse = z.object({
  application: z.object({ ...ownApplication.shape, webhookSecret: z.string() }),
});
/** 200 response to GET /api/v2/me/applications, oldest first */
export const applicationsResponse = z.object({ applications: z.array(ownApplication) });
