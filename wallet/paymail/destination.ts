/** Requests the destinations of paymails and user IDs from their hosts, separately for each payment. */
import { p2pkhHash } from '../../protocol/bitcoin/address.ts';
import { isDataScript, isScriptHash } from '../../protocol/bitcoin/asm.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { meaningOf, ServiceError } from '../../protocol/errors/service-error.ts';
import {
  ordinalDestinationResponse,
  p2pDestinationResponse,
  paymentDestinationResponse,
  writePaymail,
  type Paymail,
} from '../../protocol/http/paymail.ts';
import { userPaymailResponse } from '../../protocol/http/received.ts';
import { readSettings } from '../settings.ts';
import { capabilityUrl, forgetHost, hostAt, hostOf, paymailOf, throwHostError, type KnownHost } from './discovery.ts';
import { profileOf } from './recipient-profile.ts';
import { compareKnown } from './known.ts';
import { requestHost } from './host.ts';
import type { KnownPaymail, PaidHost, PaidScript } from './paid-host.ts';
import { senderOf } from './sender.ts';
import { OWN } from '../sites/site.ts';
import type { Wallet } from '../platform.ts';

/** The scripts issued by a host for one payment. */
export interface Destination {
  scripts: PaidScript[];
  host: PaidHost;
}

/** Maximum size of a script (bytes), limited because the payer pays the fee for it. */
const MAX_SCRIPT_BYTES = 2000;
/** Maximum total size of a destination's scripts (bytes). */
const MAX_ALL_BYTES = 10_000;

/**
 * Returns the destination for a paymail.
 * @param client the requesting site, or {@link OWN} for the wallet's own windows, which may identify the payer
 * @throws ServiceError `invalid-recipient`, `unknown-recipient`, `unsupported-recipient`, `paymail-unavailable`,
 * `paymail-mismatch`
 */
export async function paymailDestination(
  wallet: Wallet,
  text: string,
  satoshis: bigint,
  client: string,
): Promise<Destination> {
  const paymail = paymailOf(text);
  return destinationAt(wallet, await hostOf(wallet, paymail, client), paymail, moneyFor(wallet, satoshis, client));
}

/**
 * Returns the destination for a service's user. The service reports the user's paymail, and that paymail's own host
 * issues the destination, so a service can't issue destinations for paymails at other hosts. Paymails on the wallet's
 * service need no discovery.
 * @param service origin of the service that assigned the user ID; null for the wallet's own
 * @throws ServiceError `unknown-recipient` and those of {@link paymailDestination}
 */
export async function userDestination(
  wallet: Wallet,
  userId: string,
  satoshis: bigint,
  client: string,
  service: string | null = null,
): Promise<Destination> {
  const { at, paymail, known } = await userHost(wallet, userId, client, service);
  const { scripts, host } = await destinationAt(wallet, known, paymail, moneyFor(wallet, satoshis, client));
  return { scripts, host: { ...host, namedBy: at } };
}

/**
 * Returns the destination for a token or ordinal sent to a paymail or user ID: one script for a one-satoshi output.
 * Only hosts that declare support for ordinals are queried, because other hosts would treat the token or ordinal as
 * money and lose it.
 * @throws ServiceError `unsupported-recipient` and those of {@link userDestination}
 */
export async function ordinalDestination(
  wallet: Wallet,
  text: string,
  kind: 'PAYMAIL' | 'USER',
  client: string,
  service: string | null,
): Promise<Destination> {
  if (kind === 'PAYMAIL') {
    const paymail = paymailOf(text);
    return destinationAt(wallet, await hostOf(wallet, paymail, client), paymail, (known, paymail) =>
      ordinalAt(wallet, known, paymail),
    );
  }
  const { at, paymail, known } = await userHost(wallet, text, client, service);
  const { scripts, host } = await destinationAt(wallet, known, paymail, (known, paymail) =>
    ordinalAt(wallet, known, paymail),
  );
  return { scripts, host: { ...host, namedBy: at } };
}

/** Returns the paymail that a service reports for a user ID, and its host. */
async function userHost(wallet: Wallet, userId: string, client: string, service: string | null) {
  const own = new URL((await readSettings(wallet)).serviceUrl).origin;
  const at = service ?? own;
  const answer = await requestHost(wallet, `${at}/api/v2/users/${encodeURIComponent(userId)}/paymail`, { client });
  throwHostError(answer);
  const read = userPaymailResponse.safeParse(answer.body);
  if (!read.success || read.data.id !== userId)
    throw new ServiceError('paymail-mismatch', { detail: 'the response is for another user' });
  const paymail = paymailOf(read.data.paymail);
  const isOwn = at === own && paymail.domain === new URL(own).hostname;
  return { at, paymail, known: await (isOwn ? hostAt(wallet, own, client) : hostOf(wallet, paymail, client)) };
}

/**
 * Returns a recipient's paymail (for a user ID, as reported by the wallet's service) with its current key and host,
 * requested on behalf of the user, without a payment. `origin` is missing if the recipient can't be paid.
 * @throws ServiceError `invalid-recipient`, `unknown-recipient`, `paymail-unavailable`, `paymail-mismatch`
 */
export async function seenNow(
  wallet: Wallet,
  to: string,
  kind: 'PAYMAIL' | 'USER',
): Promise<Omit<KnownPaymail, 'since'>> {
  const paymail = kind === 'PAYMAIL' ? paymailOf(to) : null;
  const found = paymail
    ? { paymail, known: await hostOf(wallet, paymail, OWN) }
    : await userHost(wallet, to, OWN, null);
  const { publicKey } = await profileOf(wallet, found.known, found.paymail);
  const url =
    (await p2pUrls(wallet, found.known, found.paymail))?.url ??
    (await capabilityUrl(wallet, found.known, 'paymentDestination', found.paymail));
  return { paymail: writePaymail(found.paymail), publicKey, ...(url !== null && { origin: new URL(url).origin }) };
}

async function destinationAt(
  wallet: Wallet,
  known: KnownHost,
  paymail: Paymail,
  give: RequestDestination,
): Promise<Destination> {
  const facts = profileOf(wallet, known, paymail);
  facts.catch(() => undefined); // avoids an unhandled rejection if there is no destination
  try {
    const given = await give(known, paymail);
    const { serviceUrl } = await readSettings(wallet);
    const { name, publicKey } = await facts;
    const host: PaidHost = {
      paymail: writePaymail(paymail),
      origin: given.origin,
      name,
      publicKey,
      ...(await compareKnown(wallet, writePaymail(paymail), publicKey, given.origin)),
      reference: given.reference,
      receiveUrl: given.receiveUrl,
      receiveBeefUrl: given.receiveBeefUrl,
      isService: given.origin === new URL(serviceUrl).origin,
    };
    return { scripts: given.scripts, host };
  } catch (error) {
    // The host may have moved since its discovery document was read.
    if (error instanceof ServiceError && meaningOf(error.code).blame === 'network') forgetHost(wallet, known);
    throw error;
  }
}

type HostDestination = Pick<PaidHost, 'origin' | 'reference' | 'receiveUrl' | 'receiveBeefUrl'> & {
  scripts: PaidScript[];
};
type RequestDestination = (known: KnownHost, paymail: Paymail) => Promise<HostDestination>;

const moneyFor =
  (wallet: Wallet, satoshis: bigint, client: string): RequestDestination =>
  async (known, paymail) => {
    const given =
      (await p2pDestination(wallet, known, paymail, satoshis)) ??
      (await basicDestination(wallet, known, paymail, satoshis, client));
    return { ...given, scripts: checkedScripts(given.scripts, satoshis) };
  };

/** Requests an ordinal destination (BRFC cc2154bfa6a2), if the host also accepts the transaction (2cc00c7f93c3). */
async function ordinalAt(wallet: Wallet, known: KnownHost, paymail: Paymail): Promise<HostDestination> {
  const url = await capabilityUrl(wallet, known, 'ordinalDestination', paymail);
  const receiveUrl = await capabilityUrl(wallet, known, 'receiveOrdinal', paymail);
  if (url === null || receiveUrl === null) throw new ServiceError('unsupported-recipient');
  const answer = await requestHost(wallet, url, { client: known.client, json: { ordinals: 1 } });
  throwHostError(answer);
  const read = ordinalDestinationResponse.safeParse(answer.body);
  const [output, second] = read.data?.outputs ?? [];
  if (!read.success || !output || second || !p2pkhHash(fromHex(output.script)))
    throw new ServiceError('paymail-mismatch', { detail: 'invalid destination' });
  return {
    scripts: [{ script: output.script.toLowerCase(), satoshis: 1n }],
    origin: new URL(url).origin,
    reference: read.data.reference,
    receiveUrl,
    receiveBeefUrl: null,
  };
}

/** Requests a P2P payment destination (BRFC 2a40af698840). Returns null if the host doesn't accept transactions. */
async function p2pDestination(
  wallet: Wallet,
  known: KnownHost,
  paymail: Paymail,
  satoshis: bigint,
): Promise<HostDestination | null> {
  const urls = await p2pUrls(wallet, known, paymail);
  if (urls === null) return null;
  const { url, receiveUrl, receiveBeefUrl } = urls;
  const answer = await requestHost(wallet, url, { client: known.client, json: { satoshis: Number(satoshis) } });
  throwHostError(answer);
  const read = p2pDestinationResponse.safeParse(answer.body);
  if (!read.success) throw new ServiceError('paymail-mismatch', { detail: 'invalid destination' });
  const scripts = read.data.outputs.map((output) => ({
    script: output.script.toLowerCase(),
    satoshis: BigInt(output.satoshis),
  }));
  return { scripts, origin: new URL(url).origin, reference: read.data.reference, receiveUrl, receiveBeefUrl };
}

async function p2pUrls(wallet: Wallet, known: KnownHost, paymail: Paymail) {
  const url = await capabilityUrl(wallet, known, 'p2pDestination', paymail);
  const receiveUrl = await capabilityUrl(wallet, known, 'receiveTransaction', paymail);
  const receiveBeefUrl = await capabilityUrl(wallet, known, 'receiveBeef', paymail);
  return url === null || (receiveUrl === null && receiveBeefUrl === null) ? null : { url, receiveUrl, receiveBeefUrl };
}

/** Requests a single script ("basic address resolution"). The host doesn't receive the transaction. */
async function basicDestination(
  wallet: Wallet,
  known: KnownHost,
  paymail: Paymail,
  satoshis: bigint,
  client: string,
): Promise<HostDestination> {
  const url = await capabilityUrl(wallet, known, 'paymentDestination', paymail);
  if (url === null) throw new ServiceError('unsupported-recipient');
  const isDemanded = known.capabilities['6745385c3fc0'] === true;
  const sender = await senderOf(wallet, satoshis, client, isDemanded);
  let answer = await requestHost(wallet, url, { client, json: await sender(false) });
  // Hosts that run express-paymail verify the older signature format.
  if (answer.status === 401 && sender.signs)
    answer = await requestHost(wallet, url, { client, json: await sender(true) });
  throwHostError(answer);
  const read = paymentDestinationResponse.safeParse(answer.body);
  if (!read.success) throw new ServiceError('paymail-mismatch', { detail: 'invalid destination' });
  return {
    scripts: [{ script: read.data.output.toLowerCase(), satoshis }],
    origin: new URL(url).origin,
    reference: null,
    receiveUrl: null,
    receiveBeefUrl: null,
  };
}

/**
 * Checks that a host's scripts are spendable, aren't too large, and add up to exactly the amount paid.
 * @throws ServiceError `paymail-mismatch`
 */
export function checkedScripts(scripts: PaidScript[], satoshis: bigint): PaidScript[] {
  const sum = scripts.reduce((total, one) => total + one.satoshis, 0n);
  const bytes = scripts.reduce((total, { script }) => total + script.length / 2, 0);
  const isFit = ({ script, satoshis: value }: PaidScript) =>
    value > 0n &&
    script.length / 2 <= MAX_SCRIPT_BYTES &&
    !isDataScript(fromHex(script)) &&
    !isScriptHash(fromHex(script));
  if (sum !== satoshis)
    throw new ServiceError('paymail-mismatch', { detail: `outputs add up to ${sum} instead of ${satoshis}` });
  if (bytes > MAX_ALL_BYTES || !scripts.every(isFit))
    throw new ServiceError('paymail-mismatch', { detail: 'outputs that can’t be paid' });
  return scripts;
}
