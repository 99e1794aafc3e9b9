/** Bodies of the API of a user's own applications. Messages of the checks are shown to people and to callers. */
import * as z from 'zod/mini';
import { isShownLine, isShownText, isVisible } from './shown-text.ts';
import { isRedirectAddress, isSiteAddress } from './web-address.ts';

/** Most applications that one user may have. */
export const MAX_APPLICATIONS = 50;

const WEB = 'an address that begins with https:// (or http:// on this machine), without a #, user or password';
const line = (what: string, most: number) => z.string(`${what} must be text.`).check(z.maxLength(most, `${what} has at most ${most} characters.`));
const webAddress = (what: string, form: string, check: (text: string) => boolean) =>
  line(what, 500).check(z.refine((text) => text.length > 500 || check(text), `${what} must be ${form}.`));
/** An empty text and null both mean: none. */
const optionalAddress = (what: string, form: string, check: (text: string) => boolean) => z.optional(z.nullable(webAddress(what, form, (text) => text === '' || check(text))));
const choice = (what: string) => z.optional(z.boolean(`${what} must be true or false.`));

/** POST /api/v2/me/applications. What is left out is empty, none, or false. */
export const newApplication = z.strictObject({
  name: line('The name', 60).check(
    z.refine(isVisible, 'An application needs a name.'),
    z.refine((text) => isShownLine(text), 'The name contains characters that cannot be shown.'),
  ),
  url: webAddress('The site', WEB, isSiteAddress),
  description: z.optional(line('The description', 500).check(z.refine(isShownText, 'The description contains characters that cannot be shown.'))),
  redirectUri: optionalAddress('The redirect address', `${WEB}, and without a parameter of its own that is named like one of the answer (code, state, iss, error)`, isRedirectAddress),
  webhookUrl: optionalAddress('The webhook address', WEB, isSiteAddress),
  requirePkce: choice('requirePkce'),
  requireSecret: choice('requireSecret'),
});

/** PATCH /api/v2/me/applications/{id}: what is left out stays. */
export const changedApplication = z.partial(newApplication);

/** An application as its owner sees it. `clientIdentifier` is for buttons and the Basic credential, `oauthIdentifier` is the code flow's `client_id`. */
export const ownApplication = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  description: z.string(),
  clientIdentifier: z.string(),
  oauthIdentifier: z.string(),
  redirectUri: z.nullable(z.string()),
  webhookUrl: z.nullable(z.string()),
  requirePkce: z.boolean(),
  requireSecret: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
/** See {@link ownApplication}. */
export type OwnApplication = z.infer<typeof ownApplication>;

/** 200 of GET and PATCH /api/v2/me/applications/{id} */
export const applicationResponse = z.object({ application: ownApplication });
/** 201 of POST /api/v2/me/applications: the only answer that ever holds both secrets. */
export const createdApplicationResponse = z.object({ application: z.object({ ...ownApplication.shape, clientSecret: z.string(), webhookSecret: z.string() }) });
/** 200 of POST …/{id}/secret: the new client secret, this once. */
export const clientSecretResponse = z.object({ application: z.object({ ...ownApplication.shape, clientSecret: z.string() }) });
/** 200 of POST …/{id}/webhook-secret: the new webhook secret, this once. */
export const webhookSecretResponse = z.object({ application: z.object({ ...ownApplication.shape, webhookSecret: z.string() }) });
/** 200 of GET /api/v2/me/applications, the oldest first */
export const applicationsResponse = z.object({ applications: z.array(ownApplication) });
