/**
 * Which token a page names. A service says which one its asset is, and may lie: the token's ID and what its mint says are
 * the wallet's own reading, and shown beside. Nothing of it is stored, since a page could name any number of tokens.
 */
import * as z from 'zod/mini';
import { tokenId } from '../../../protocol/assets.ts';
import { readTokenId } from '../../../protocol/bsv21/token.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { networkInfo } from '../chain/network.ts';
import { ordinalsIndex, toldToken } from '../chain/ordinals-index.ts';
import { fetchTransaction } from '../chain/spv.ts';
import { askHost, hostUrl } from '../paymail/host.ts';
import { takeHostRequests } from '../rate-limit.ts';
import { readSettings } from '../settings.ts';
import type { Mint } from './asset-record.ts';
import { mintOf } from './held.ts';
import { mintAt } from './read-mint.ts';

/** Most bytes of a service's answer: a description has a thousand characters. */
const MAX_BYTES = 20_000;

/** As much of `/api/v2/assets/{name}` as matters here. */
const answered = z.object({ id: z.string(), tokenId, paymailAlias: z.string(), paymailDomain: z.string() });

/** A token, and the service that says that it is meant; null where the page named the token itself. */
export interface NamedToken {
  id: string;
  mint: Pick<Mint, 'symbol' | 'decimals' | 'word'>;
  /** Origin of the service. */
  namedBy: string | null;
}

/**
 * Looks up the token that a name stands for.
 * @param name see protocol/asset-name.ts
 * @param client the site that asks
 * @param service origin of the service that its button belongs to; null for the wallet's own
 * @throws ServiceError `unknown-asset`, `asset-unavailable`, `too-many-requests`
 */
export async function namedToken(name: string, client: string, service: string | null): Promise<NamedToken> {
  takeHostRequests(client, 1);
  try {
    if (readTokenId(name)) return { id: name, mint: await mintNow(name), namedBy: null };
    const at = await serviceOf(name, service);
    const id = await tokenAt(at, name, client);
    return { id, mint: await mintNow(id), namedBy: at };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unknown-asset') throw error;
    throw new ServiceError('asset-unavailable', { cause: error });
  }
}

/** Names of the wallet's own service are asked there, all others where user IDs are (design of user IDs: resolvers.ts). */
async function serviceOf(name: string, service: string | null): Promise<string> {
  const settings = await readSettings();
  const own = new URL(settings.serviceUrl);
  const isOwn = service === null || [own.host, own.hostname].some((domain) => name.endsWith(`@${domain}`));
  if (isOwn) return own.origin;
  if (hostUrl(service, settings)?.origin !== service) throw new ServiceError('unknown-asset');
  return service;
}

async function tokenAt(service: string, name: string, client: string): Promise<string> {
  const { status, body } = await askHost(`${service}/api/v2/assets/${encodeURIComponent(name)}`, {
    client,
    maxBytes: MAX_BYTES,
  });
  if (status === 404) throw new ServiceError('unknown-asset');
  const read = answered.safeParse(body);
  if (status !== 200 || !read.success) throw new ServiceError('asset-unavailable', { detail: `status ${status}` });
  const { id, tokenId: token, paymailAlias, paymailDomain } = read.data;
  if (![id, `${paymailAlias}@${paymailDomain}`].includes(name))
    throw new ServiceError('unknown-asset', { detail: 'the service answers for another asset' });
  return token;
}

/** What its mint says: read now, unless the wallet has; of a token with an issuer's authority by the index. */
async function mintNow(id: string): Promise<Mint> {
  const known = await mintOf(id);
  if (known?.word === 'chain') return known;
  const { txid, vout } = readTokenId(id) as { txid: string; vout: number };
  const transaction = await fetchTransaction(await networkInfo(), txid);
  const read = transaction && mintAt(transaction, txid, vout);
  if (read) return read;
  const told = transaction && (await toldToken(await ordinalsIndex(), id));
  if (!told) throw new ServiceError('unknown-asset');
  return { ...told, word: 'index' };
}
