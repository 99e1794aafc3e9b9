import type * as z from 'zod/mini';
import { changedApplication, newApplication } from '../../protocol/http/applications.ts';
import { check, type Checked, type Problems } from '../http/problems.ts';
import { canBePublicHost } from '../outbound-requests/public-address.ts';
import { isOwnAddress, problemOfName, type OwnAddresses } from './own-names.ts';
import type { ApplicationDetails } from './store.ts';

export interface DetailsPolicy {
  /** True if webhook URLs may point to this machine. */
  webhooksAllowPrivate: boolean;
  /** The service's own names and origin, which no application may imitate. */
  own?: OwnAddresses;
}

const NO_DETAILS = {
  description: '',
  redirectUri: null,
  webhookUrl: null,
  webhookBodySecret: null,
  requirePkce: false,
  requireSecret: false,
};

export function checkNewApplication(body: unknown, policy: DetailsPolicy): Checked<ApplicationDetails> {
  const { value: given, problems } = check(newApplication, body);
  return given
    ? checkPolicy({ ...NO_DETAILS, ...tidied(given), name: given.name.trim(), url: given.url }, policy)
    : { value: given, problems };
}

export function checkChanges(body: unknown, policy: DetailsPolicy): Checked<Partial<ApplicationDetails>> {
  const { value: given, problems } = check(changedApplication, body);
  return given ? checkPolicy(tidied(given), policy) : { value: given, problems };
}

/** Trims the submitted fields, and converts empty URLs to null. */
function tidied(given: z.output<typeof changedApplication>): Partial<ApplicationDetails> {
  const details = Object.entries(given).flatMap(([field, value]) => {
    if (value === undefined) return [];
    const text = typeof value === 'string' ? value.trim() : value;
    return [[field, text === '' && (field === 'redirectUri' || field === 'webhookUrl') ? null : text]];
  });
  return Object.fromEntries(details) as Partial<ApplicationDetails>;
}

function checkPolicy<T extends Partial<ApplicationDetails>>(
  given: T,
  { webhooksAllowPrivate, own }: DetailsPolicy,
): Checked<T> {
  const problems = problemsOfIdentity(given, own);
  if (Object.keys(problems).length > 0) return { value: null, problems };
  if (webhooksAllowPrivate || !given.webhookUrl) return { value: given, problems: null };
  const { protocol, hostname } = new URL(given.webhookUrl);
  if (protocol === 'https:' && canBePublicHost(hostname)) return { value: given, problems: null };
  const problem =
    protocol === 'https:'
      ? 'The webhook URL must be reachable from the internet. This service sends nothing to its own machine or to private networks.'
      : 'The webhook URL must begin with https://.';
  return { value: null, problems: { webhookUrl: problem } };
}

/** Checks that the name and site on the consent page can't be mistaken for the service's own. */
function problemsOfIdentity(
  { name, url, redirectUri }: Partial<ApplicationDetails>,
  own: OwnAddresses | undefined,
): Problems {
  const ofName = name === undefined ? null : problemOfName(name, own);
  return {
    ...(ofName !== null && { name: ofName }),
    ...(isOwnAddress(url, own) && { url: 'The site must not be this service.' }),
    ...(isOwnAddress(redirectUri, own) && { redirectUri: 'The redirect URL must not be one of this service.' }),
  };
}
