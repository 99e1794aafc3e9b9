/**
 * The sources of block headers: WhatsOnChain and, if the network has one, the Chaintracks API of an Arcade server.
 * Neither is trusted: headers are accepted by their hash and work.
 */
import * as z from 'zod/mini';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { parseJson, send } from '../http.ts';
import type { NetworkInfo } from '../network-info.ts';
import { checkHeader } from './proof.ts';
import { blockHeader, chainTip, type Header } from '../whats-on-chain.ts';
import { part, type Wallet } from '../../platform.ts';

/** A source of headers. Its responses are unverified. */
export interface HeaderSource {
  readonly url: string;
  /** Returns the tip of the source's chain. @throws ServiceError `network-unavailable` */
  tip(): Promise<{ hash: string; height: number }>;
  /** Returns a header by height or hash; null if unknown. @throws ServiceError `network-unavailable` */
  header(block: number | string): Promise<Header | null>;
}

export type HeaderAddresses = Pick<NetworkInfo, 'wocUrl' | 'headersUrl'>;

const MAX_BYTES = 10_000;
/** Time for which an unreachable source is skipped if another one is available (milliseconds). */
const AVOIDED_MS = 60_000;

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
// From Arcade's OpenAPI description (go-chaintracks). Older releases call the previous hash `prevHash`.
const chaintracksHeader = z.object({
  hash,
  height: z.int().check(z.minimum(0)),
  version: z.int(),
  merkleRoot: hash,
  time: z.int(),
  nonce: z.int(),
  bits: z.int().check(z.minimum(0), z.maximum(0xffff_ffff)),
  previousHash: z.optional(hash),
  prevHash: z.optional(hash),
});
const NO_BLOCK = '0'.repeat(64);

/** Returns a Chaintracks client. @param url base URL without `/v2` */
export function chaintracks(wallet: Wallet, url: string): HeaderSource {
  const ask = async (path: string): Promise<Header | null> => {
    const { status, text } = await send(wallet, `${url}/v2${path}`, { maxBytes: MAX_BYTES });
    if (status === 404) return null;
    const read = chaintracksHeader.safeParse(parseJson(text));
    if (status !== 200 || !read.success)
      throw new ServiceError('network-unavailable', { detail: `invalid header: status ${status}` });
    const { merkleRoot, bits, previousHash, prevHash, ...same } = read.data;
    const previous = previousHash ?? prevHash;
    return {
      ...same,
      merkleroot: merkleRoot,
      bits: bits.toString(16).padStart(8, '0'),
      ...(previous !== undefined && previous !== NO_BLOCK && { previousblockhash: previous }),
    };
  };
  return {
    url,
    async tip() {
      const tip = await ask('/tip');
      if (!tip) throw new ServiceError('network-unavailable', { detail: 'no tip' });
      return tip;
    },
    header: (block) => ask(typeof block === 'number' ? `/header/height/${block}` : `/header/hash/${block}`),
  };
}

// When to stop skipping a source (monotonic milliseconds). Lost when the worker stops.
const avoided = part(() => new Map<string, number>());

/** Records whether a source was reachable. */
export function noteReached(wallet: Wallet, { url }: HeaderSource, error: unknown = null): void {
  if (error === null) avoided(wallet).delete(url);
  else if (!(error instanceof ServiceError) || error.code !== 'invalid-proof')
    avoided(wallet).set(url, wallet.monotonic() + AVOIDED_MS);
}

/** Returns the sources in order, without recently unreachable ones. Returns all sources if all were unreachable. */
export function headerSources(wallet: Wallet, { wocUrl, headersUrl }: HeaderAddresses): HeaderSource[] {
  const all: HeaderSource[] = [
    { url: wocUrl, tip: () => chainTip(wallet, wocUrl), header: (block) => blockHeader(wallet, wocUrl, block) },
    ...(headersUrl === undefined ? [] : [chaintracks(wallet, headersUrl)]),
  ];
  const reachable = all.filter(({ url }) => (avoided(wallet).get(url) ?? 0) <= wallet.monotonic());
  return reachable.length > 0 ? reachable : all;
}

/**
 * Yields each source's header for a height or hash, after verifying its hash and work.
 * @throws ServiceError `invalid-proof`, `network-unavailable` if no source returned a valid response
 */
export async function* headersOf(
  wallet: Wallet,
  info: HeaderAddresses & { network: Network },
  block: number | string,
): AsyncGenerator<Header, void> {
  let fault: unknown = null;
  let isAnswered = false;
  for (const source of headerSources(wallet, info)) {
    let header: Header | null;
    try {
      header = await source.header(block);
      noteReached(wallet, source);
      if (header) checkHeader(header, info.network);
      if (header && typeof block === 'string' && header.hash !== block)
        throw new ServiceError('invalid-proof', { detail: 'another block at this height' });
    } catch (error) {
      noteReached(wallet, source, error);
      fault ??= error;
      continue;
    }
    isAnswered = true;
    // A header doesn't contain its height, which only the source reports.
    if (header && (typeof block === 'string' || header.height === block)) yield header;
  }
  if (!isAnswered && fault !== null) throw fault;
}

/**
 * Returns a verified block header from the first source that has it; null if none has it.
 * @throws ServiceError `invalid-proof`, `network-unavailable`
 */
export async function headerOf(
  wallet: Wallet,
  info: HeaderAddresses & { network: Network },
  block: number | string,
): Promise<Header | null> {
  for await (const header of headersOf(wallet, info, block)) return header;
  return null;
}
