/** What an owner says of an application, checked. Pure. */
import type * as z from 'zod/mini';
import { changedApplication, newApplication } from '../../protocol/applications.ts';
import { check, type Checked } from '../http/problems.ts';
import { canBePublicHost } from '../outbound-requests/public-address.ts';
import type { ApplicationDetails } from './store.ts';

/** What the operator decided. */
export interface DetailsPolicy {
  /** May webhooks go to this machine? */
  webhooksAllowPrivate: boolean;
}

const NO_DETAILS = {
  description: '',
  redirectUri: null,
  webhookUrl: null,
  webhookBodySecret: null,
  requirePkce: false,
  requireSecret: false,
};

/** The details of an application that is to be made. */
export function checkNewApplication(body: unknown, policy: DetailsPolicy): Checked<ApplicationDetails> {
  const { value: given, problems } = check(newApplication, body);
  return given
    ? checkPolicy({ ...NO_DETAILS, ...tidied(given), name: given.name.trim(), url: given.url }, policy)
    : { value: given, problems };
}

/** Changes to an application: only the given fields. */
export function checkChanges(body: unknown, policy: DetailsPolicy): Checked<Partial<ApplicationDetails>> {
  const { value: given, problems } = check(changedApplication, body);
  return given ? checkPolicy(tidied(given), policy) : { value: given, problems };
}

/** The given fields, trimmed, with null for an empty address. */
function tidied(given: z.output<typeof changedApplication>): Partial<ApplicationDetails> {
  const details = Object.entries(given).flatMap(([field, value]) => {
    if (value === undefined) return [];
    const text = typeof value === 'string' ? value.trim() : value;
    return [[field, text === '' && (field === 'redirectUri' || field === 'webhookUrl') ? null : text]];
  });
  return Object.fromEntries(details) as Partial<ApplicationDetails>;
}

/** An address that webhooks/send.ts would never call is not taken: its owner would wait for events in vain. */
function checkPolicy<T extends Partial<ApplicationDetails>>(
  given: T,
  { webhooksAllowPrivate }: DetailsPolicy,
): Checked<T> {
  if (webhooksAllowPrivate || !given.webhookUrl) return { value: given, problems: null };
  const { protocol, hostname } = new URL(given.webhookUrl);
  if (protocol === 'https:' && canBePublicHost(hostname)) return { value: given, problems: null };
  const problem =
    protocol === 'https:'
      ? 'The webhook address must be one that is reached from the internet: this service sends nothing to its own machine, or into private networks.'
      : 'The webhook address must begin with https://.';
  return { value: null, problems: { webhookUrl: problem } };
}
