/**
 * Resolves the token that a page names. A service may return the wrong token, so the wallet itself reads and shows the
 * token's ID and mint. Nothing is stored, because a page could name any number of tokens.
 */
import * as z from 'zod/mini';
import { ASSET_NAME, isBareAlias } from '../../protocol/assets/asset-name.ts';
import { tokenId } from '../../protocol/assets/assets.ts';
import { readTokenId } from '../../protocol/assets/bsv21/token.ts';
import { ServiceError, type ErrorCode } from '../../protocol/errors/service-error.ts';
import { networkInfo } from '../chain/network.ts';
import { ordinalsIndex, indexedToken } from '../chain/ordinals-index.ts';
import { rateOrNull } from '../chain/rates.ts';
import { fetchTransaction } from '../chain/headers/spv.ts';
import { capabilityUrl, hostOf, paymailOf } from '../paymail/discovery.ts';
import { requestHost, hostUrl } from '../paymail/host.ts';
import { countHostRequests } from '../request-limits/rate-limit.ts';
import { readSettings } from '../settings.ts';
import type { Mint } from './asset-record.ts';
import { mintOf } from './held.ts';
import { mintAt } from './read-mint.ts';
import type { Wallet } from '../platform.ts';

/** Maximum size of a service's response (bytes). A description has up to a thousand characters. */
const MAX_BYTES = 20_000;

/** The required fields of `/api/v2/assets/{name}`. */
const answered = z.object({ id: z.string(), tokenId, paymailAlias: z.string(), paymailDomain: z.string() });
type Answered = z.infer<typeof answered>;

export interface NamedToken {
  id: string;
  mint: Pick<Mint, 'symbol' | 'decimals' | 'word'>;
  /** Origin of the service or domain that resolved the name; null if the page passed the token ID itself. */
  namedBy: string | null;
  /** The name. For an alias without a domain, the asset's paymail, which is unambiguous. */
  name: string;
}

interface Named {
  tokenId: string;
  namedBy: string;
  name: string;
}

/**
 * Resolves a name to a token. A paymail is resolved only by its own domain, so no other service can substitute a token.
 * @param name see protocol/assets/asset-name.ts
 * @param client the requesting site
 * @param service origin of the service that the page's button uses; null for the wallet's own
 * @throws ServiceError `unknown-asset`, `asset-unavailable`, `too-many-requests`
 */
export async function namedToken(
  wallet: Wallet,
  name: string,
  client: string,
  service: string | null,
): Promise<NamedToken> {
  countHostRequests(wallet, client, 1);
  try {
    if (readTokenId(name)) return { id: name, mint: await mintNow(wallet, name), namedBy: null, name };
    const { tokenId: id, ...by } = name.includes('@')
      ? await byPaymail(wallet, name, client)
      : await byService(wallet, name, client, await serviceOf(wallet, service));
    return { id, mint: await mintNow(wallet, id), ...by };
  } catch (error) {
    if (error instanceof ServiceError && NOBODYS.has(error.code))
      throw new ServiceError('unknown-asset', { cause: error });
    throw new ServiceError('asset-unavailable', { cause: error });
  }
}

/** Error codes for a name that is unknown or that no host can resolve. */
const NOBODYS: ReadonlySet<ErrorCode> = new Set([
  'unknown-asset',
  'invalid-recipient',
  'unknown-recipient',
  'unsupported-recipient',
]);

/** Returns the button's service if it may be queried, otherwise the wallet's. */
async function serviceOf(wallet: Wallet, service: string | null): Promise<string> {
  const settings = await readSettings(wallet);
  if (service === null) return new URL(settings.serviceUrl).origin;
  if (hostUrl(service, settings)?.origin !== service) throw new ServiceError('unknown-asset');
  return service;
}

/** Resolves an asset's ID or alias at a service. */
async function byService(wallet: Wallet, name: string, client: string, service: string): Promise<Named> {
  if (await isCurrency(wallet, name))
    throw new ServiceError('unknown-asset', { detail: 'the name is a currency code' });
  const found = await ask(wallet, `${service}/api/v2/assets/${encodeURIComponent(name)}`, client);
  const { paymailAlias, paymailDomain } = found;
  if (!isBareAlias(name)) {
    if (found.id !== name) throw another();
    return { tokenId: found.tokenId, namedBy: service, name };
  }
  const paymail = `${paymailAlias}@${paymailDomain}`;
  if (paymailAlias !== name || !ASSET_NAME.test(paymail)) throw another();
  // A service may name only its own assets.
  if (!isAt(paymail, service)) {
    const { tokenId: own } = await byPaymail(wallet, paymail, client);
    if (own !== found.tokenId) throw another();
  }
  return { tokenId: found.tokenId, namedBy: service, name: paymail };
}

/** True for a currency code. Currency codes take precedence, so a price in money can't become a price in tokens. */
async function isCurrency(wallet: Wallet, name: string): Promise<boolean> {
  if (!/^[a-z]{3,5}$/.test(name)) return false;
  const code = name.toUpperCase();
  return (
    code === 'BSV' || Intl.supportedValuesOf('currency').includes(code) || (await rateOrNull(wallet, code)) !== null
  );
}

/** Resolves an asset's paymail at its own domain. */
async function byPaymail(wallet: Wallet, name: string, client: string): Promise<Named> {
  const { origin } = new URL((await readSettings(wallet)).serviceUrl);
  if (isAt(name, origin)) {
    const found = await ask(wallet, `${origin}/api/v2/assets/${encodeURIComponent(name)}`, client);
    return checkPaymail(found, name, origin);
  }
  const paymail = paymailOf(name);
  const url = await capabilityUrl(wallet, await hostOf(wallet, paymail, client), 'asset', paymail);
  if (url === null) throw new ServiceError('unknown-asset', { detail: 'the host has no assets capability' });
  return checkPaymail(await ask(wallet, url, client), name, `https://${paymail.domain}`);
}

function checkPaymail({ paymailAlias, paymailDomain, tokenId }: Answered, name: string, namedBy: string): Named {
  if (`${paymailAlias}@${paymailDomain}` !== name) throw another();
  return { tokenId, namedBy, name };
}

const another = () => new ServiceError('unknown-asset', { detail: 'the service returned another asset' });

function isAt(paymail: string, service: string): boolean {
  const { host, hostname } = new URL(service);
  return [host, hostname].some((domain) => paymail.endsWith(`@${domain}`));
}

async function ask(wallet: Wallet, url: string, client: string): Promise<Answered> {
  const { status, body } = await requestHost(wallet, url, { client, maxBytes: MAX_BYTES });
  if (status === 404) throw new ServiceError('unknown-asset');
  const read = answered.safeParse(body);
  if (status !== 200 || !read.success) throw new ServiceError('asset-unavailable', { detail: `status ${status}` });
  return read.data;
}

/**
 * Returns the metadata of a token's mint, if possible from the chain. If the token has an issuer, only the index
 * supplies it.
 */
async function mintNow(wallet: Wallet, id: string): Promise<Mint> {
  const known = await mintOf(wallet, id);
  if (known?.word === 'chain') return known;
  const { txid, vout } = readTokenId(id) as { txid: string; vout: number };
  const transaction = await fetchTransaction(wallet, await networkInfo(wallet), txid);
  const read = transaction && mintAt(transaction, txid, vout);
  if (read) return read;
  const told = transaction && (await indexedToken(wallet, await ordinalsIndex(wallet), id));
  if (!told) throw new ServiceError('unknown-asset');
  return { ...told, word: 'index' };
}
