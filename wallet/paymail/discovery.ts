/** Discovers the host of a paymail domain and its capabilities. */
import {
  CAPABILITIES,
  discoveryDocument,
  DISCOVERY_PATH,
  fillTemplate,
  readPaymail,
  type Capability,
  type Paymail,
} from '../../protocol/http/paymail.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { asciiDomain } from '../../protocol/text/paymail-domain.ts';
import { isReachableLoopback, readSettings } from '../settings.ts';
import { paymailTarget } from './dns.ts';
import { requestHost, hostUrl, isPublicForm, type HostResponse } from './host.ts';
import { HostCache } from './known.ts';
import { part, type Wallet } from '../platform.ts';

/** The known host of a domain. `capabilities` uses the discovery document's keys. */
export interface KnownHost {
  /** The requesting site, or `OWN` for the wallet's own windows. */
  client: string;
  /** The paymail domain, or an origin for the wallet's service and for this machine. */
  domain: string;
  origin: string;
  capabilities: Record<string, string | boolean>;
}

/** How long a discovery document is valid (milliseconds). */
const FRESH_MS = 3_600_000;
/** Maximum length of a stored URL template (characters). */
const MAX_TEMPLATE = 2000;

const hosts = part((wallet) => new HostCache<KnownHost>(wallet, FRESH_MS));
// Discoveries in progress, shared by concurrent requests for the same host.
const asking = part(() => new Map<string, Promise<KnownHost>>());

/**
 * Normalizes a paymail for requests to its host: lower case, domain in ASCII (Unicode TR 46, as in browsers).
 * @throws ServiceError `invalid-recipient`
 */
export function paymailOf(text: string): Paymail {
  const read = readPaymail(text);
  const domain = read && asciiDomain(read.domain);
  if (!read || domain === null) throw new ServiceError('invalid-recipient');
  return { alias: read.alias, domain };
}

/**
 * Returns the host of a paymail domain. Cached for an hour or, for a site that the user has never paid on, for the
 * duration of a request.
 * @param client the requesting site, or `OWN`
 * @throws ServiceError `invalid-recipient` (not a domain that may be contacted), `unknown-recipient` (the domain has no
 * paymails), `paymail-unavailable`, `paymail-mismatch`
 */
export async function hostOf(wallet: Wallet, { domain }: Paymail, client: string): Promise<KnownHost> {
  const { network, serviceUrl } = await readSettings(wallet);
  const [name = '', port] = domain.split(':');
  // On devnet, names such as localhost refer to the wallet's service or, with a port, to another local host.
  if (network === 'devnet' && isReachableLoopback(name))
    return hostAt(wallet, port === undefined ? serviceUrl : `http://${domain}`, client);
  if (port !== undefined || !isPublicForm(name)) throw new ServiceError('invalid-recipient');
  return known(wallet, domain, client, async () => {
    const target = await paymailTarget(wallet, domain).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'network-unavailable') return error;
      throw error;
    });
    // If no resolver is reachable, the domain itself may still be the host.
    if (target instanceof ServiceError) return { origin: `https://${domain}`, blocked: target };
    if (target === null || target === 'unsigned')
      return { origin: `https://${domain}`, unsigned: target === 'unsigned' };
    if (!isPublicForm(target.host))
      throw new ServiceError('paymail-mismatch', { detail: `${domain} is at ${target.host}` });
    return { origin: new URL(`https://${target.host}:${target.port}`).origin };
  });
}

/** Returns the host at an origin, such as the wallet's service. @throws ServiceError like {@link hostOf} */
export function hostAt(wallet: Wallet, origin: string, client: string): Promise<KnownHost> {
  return known(wallet, origin, client, async () => ({ origin }));
}

/** Removes a host from the cache after an error so that it is discovered again. */
export function forgetHost(wallet: Wallet, { client, domain }: KnownHost): void {
  hosts(wallet).delete(client, domain);
}

/**
 * Returns the URL of a capability for a paymail; null if the host doesn't have it.
 * @throws ServiceError `paymail-mismatch` (a URL that must not be contacted)
 */
export async function capabilityUrl(
  wallet: Wallet,
  { capabilities }: KnownHost,
  capability: Capability,
  paymail: Paymail,
  pubkey?: string,
): Promise<string | null> {
  const template = capabilities[CAPABILITIES[capability]];
  if (typeof template !== 'string') return null;
  // Placeholders aren't allowed in the host part.
  const url = /^https?:\/\/[^/?#{}\\]+(?:[/?]|$)/i.test(template)
    ? hostUrl(fillTemplate(template, paymail, pubkey), await readSettings(wallet))
    : null;
  if (!url) throw new ServiceError('paymail-mismatch', { detail: `${capability} is at ${template}` });
  return url.href;
}

/** Error codes and messages that hosts use to report an unknown paymail with a status other than 404. */
const NOBODY = /not[-_ ]?found|(?:unknown|no[-_ ]such)[-_ ](?:paymail|handle|alias|recipient|user)/i;

/** Returns the codes in an error response (JSON members or plain text), or its messages if it has no codes. */
function codesIn({ body, text }: HostResponse): string[] {
  if (typeof body !== 'object' || body === null) return [body, text].filter((one) => typeof one === 'string');
  const { code, message, error } = body as Partial<Record<'code' | 'message' | 'error', unknown>>;
  const given = typeof code === 'string' ? [code] : [message, error];
  return given.filter((one) => typeof one === 'string');
}

/**
 * Throws the error for an error response. 404, or a corresponding `code`, means that the paymail is unknown.
 * @throws ServiceError `unknown-recipient`, `paymail-unavailable`, `unsupported-recipient`
 */
export function throwHostError(answer: HostResponse): void {
  const { status } = answer;
  if (status >= 200 && status < 300) return;
  const isNobody = (status === 400 || status === 422) && codesIn(answer).some((code) => NOBODY.test(code));
  if (status === 404 || status === 410 || isNobody) throw new ServiceError('unknown-recipient');
  if (status >= 500 || status === 408 || status === 429)
    throw new ServiceError('paymail-unavailable', { detail: `status ${status}` });
  throw new ServiceError('unsupported-recipient', { detail: `status ${status}` });
}

/**
 * The host of a domain. `unsigned` is true if a DNS record without DNSSEC, which is ignored, names a different host.
 */
interface HostLocation {
  origin: string;
  unsigned?: boolean;
  /** Set if no resolver could be reached. Thrown if the domain itself isn't a host either. */
  blocked?: ServiceError;
}

const unsignedMessage = (domain: string) =>
  `The DNS record with the paymail host of ${domain} isn’t signed (DNSSEC), so a third party could have forged it. Ask the recipient for an address, or their operator to sign the record. No money has moved.`;

async function readDocument(wallet: Wallet, origin: string, client: string) {
  const answer = await requestHost(wallet, `${origin}${DISCOVERY_PATH}`, { client });
  throwHostError(answer);
  const document = discoveryDocument.safeParse(answer.body);
  if (!document.success) throw new ServiceError('paymail-mismatch', { detail: 'invalid discovery document' });
  return document.data;
}

async function known(
  wallet: Wallet,
  domain: string,
  client: string,
  originOf: () => Promise<HostLocation>,
): Promise<KnownHost> {
  const kept = hosts(wallet).get(client, domain);
  if (kept) return kept;
  const key = `${client} ${domain}`;
  const running =
    asking(wallet).get(key) ?? discover(wallet, domain, client, originOf).finally(() => asking(wallet).delete(key));
  asking(wallet).set(key, running);
  return running;
}

async function discover(
  wallet: Wallet,
  domain: string,
  client: string,
  originOf: () => Promise<HostLocation>,
): Promise<KnownHost> {
  const { origin, unsigned = false, blocked } = await originOf();
  const document = await readDocument(wallet, origin, client).catch((error: unknown) => {
    if (blocked) throw blocked;
    throw unsigned
      ? new ServiceError('unsupported-recipient', { message: unsignedMessage(domain), cause: error })
      : error;
  });
  const wanted = new Set<string>(Object.values(CAPABILITIES));
  const capabilities = Object.fromEntries(
    Object.entries(document.capabilities).filter(
      (entry): entry is [string, string | boolean] =>
        wanted.has(entry[0]) &&
        (entry[1] === true || (typeof entry[1] === 'string' && entry[1].length <= MAX_TEMPLATE)),
    ),
  );
  const host: KnownHost = { client, domain, origin, capabilities };
  hosts(wallet).set(client, domain, host);
  return host;
}
