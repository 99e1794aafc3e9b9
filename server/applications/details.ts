/** What an owner says of an application, checked. Pure. */
import type * as z from 'zod/mini';
import { changedApplication, newApplication } from '../../protocol/applications.ts';
import { isLoopbackHost } from '../../protocol/web-address.ts';
import { check, type Checked } from '../http/problems.ts';
import type { ApplicationDetails } from './store.ts';

/** What the operator decided. */
export interface DetailsPolicy {
  /** May webhooks go to this machine? */
  webhooksAllowPrivate: boolean;
}

const NOTHING_TOLD = { description: '', redirectUri: null, webhookUrl: null, webhookBodySecret: null, requirePkce: false, requireSecret: false };

/** The details of an application that is to be made. */
export function checkNewApplication(body: unknown, policy: DetailsPolicy): Checked<ApplicationDetails> {
  const { told, problems } = check(newApplication, body);
  return told ? checkPolicy({ ...NOTHING_TOLD, ...tidied(told), name: told.name.trim(), url: told.url }, policy) : { told, problems };
}

/** Changes to an application: only what was told. */
export function checkChanges(body: unknown, policy: DetailsPolicy): Checked<Partial<ApplicationDetails>> {
  const { told, problems } = check(changedApplication, body);
  return told ? checkPolicy(tidied(told), policy) : { told, problems };
}

/** What was told, without blanks at the ends, and null for an address that is empty. */
function tidied(told: z.output<typeof changedApplication>): Partial<ApplicationDetails> {
  const details = Object.entries(told).flatMap(([field, value]) => {
    if (value === undefined) return [];
    const text = typeof value === 'string' ? value.trim() : value;
    return [[field, text === '' && (field === 'redirectUri' || field === 'webhookUrl') ? null : text]];
  });
  return Object.fromEntries(details) as Partial<ApplicationDetails>;
}

/** Plain http goes to this machine alone, so it is of no use where webhooks may not go there. */
function checkPolicy<T extends Partial<ApplicationDetails>>(told: T, { webhooksAllowPrivate }: DetailsPolicy): Checked<T> {
  const { protocol, hostname } = new URL(told.webhookUrl || 'https://none.invalid');
  if (webhooksAllowPrivate || (protocol === 'https:' && !isLoopbackHost(hostname))) return { told, problems: null };
  const problem = protocol === 'https:' ? 'This service sends no webhooks to its own machine.' : 'The webhook address must begin with https://.';
  return { told: null, problems: { webhookUrl: problem } };
}
