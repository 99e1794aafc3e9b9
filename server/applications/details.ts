/** What an owner says of an application, checked. Pure. */
import type * as z from 'zod/mini';
import { changedApplication, newApplication } from '../../protocol/applications.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { isLoopbackHost } from '../../protocol/web-address.ts';
import type { ApplicationDetails } from './store.ts';

/** What is wrong, by field, as sentences for people. */
export type Problems = Readonly<Partial<Record<string, string>>>;

/** The details, or what is wrong with them. */
export type Checked<T> = { details: T; problems: null } | { details: null; problems: Problems };

/** What the operator decided. */
export interface DetailsPolicy {
  /** May webhooks go to this machine? */
  webhooksAllowPrivate: boolean;
}

const NOTHING_TOLD = { description: '', redirectUri: null, webhookUrl: null, requirePkce: false, requireSecret: false };

/** The details of an application that is to be made. */
export function checkNewApplication(body: unknown, policy: DetailsPolicy): Checked<ApplicationDetails> {
  const read = newApplication.safeParse(body);
  if (!read.success) return { details: null, problems: problemsOf(read.error) };
  const { name, url } = read.data;
  return checkPolicy({ ...NOTHING_TOLD, ...tidied(read.data), name: name.trim(), url }, policy);
}

/** Changes to an application: only what was told. */
export function checkChanges(body: unknown, policy: DetailsPolicy): Checked<Partial<ApplicationDetails>> {
  const read = changedApplication.safeParse(body);
  return read.success ? checkPolicy(tidied(read.data), policy) : { details: null, problems: problemsOf(read.error) };
}

/** @throws ServiceError `invalid-request` with every problem in its message */
export function assertChecked<T>({ details, problems }: Checked<T>): T {
  if (problems !== null) throw new ServiceError('invalid-request', { message: [...new Set(Object.values(problems))].join(' ') });
  return details;
}

function problemsOf({ issues }: z.core.$ZodError): Problems {
  const problems: Record<string, string> = {};
  for (const issue of issues) {
    // An unknown member's name is the caller's own text: it is not said back.
    if (issue.code === 'unrecognized_keys') problems[''] = 'There is a member that an application does not have.';
    else problems[String(issue.path[0] ?? '')] ??= issue.path.length === 0 ? 'The body must be a JSON object.' : issue.message;
  }
  return problems;
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
function checkPolicy<T extends Partial<ApplicationDetails>>(details: T, { webhooksAllowPrivate }: DetailsPolicy): Checked<T> {
  const { protocol, hostname } = new URL(details.webhookUrl || 'https://none.invalid');
  if (webhooksAllowPrivate || (protocol === 'https:' && !isLoopbackHost(hostname))) return { details, problems: null };
  const problem = protocol === 'https:' ? 'This service sends no webhooks to its own machine.' : 'The webhook address must begin with https://.';
  return { details: null, problems: { webhookUrl: problem } };
}
