/**
 * Simplified payment verification: a transaction is confirmed if a merkle path leads from its ID to the root in a
 * header whose hash meets its own target (Bitcoin white paper, sections 7 and 8; TSC merkle proof format; BRC-74).
 */
import { concatBytes, equalBytes, fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { sha256d, txidOf } from '../../../protocol/bitcoin/transaction.ts';
import { ByteWriter } from '../../../protocol/bitcoin/wire-format.ts';
import type { Header, TscProof } from '../whats-on-chain.ts';

const wrong = (detail: string) => new ServiceError('invalid-proof', { detail });

/** The easiest allowed target: about 2^60 hashes on the main network, Bitcoin's minimum difficulty on test networks. */
const EASIEST_TARGET: Record<Network, bigint> = {
  mainnet: 1n << 196n,
  testnet: 0xffffn << 208n,
  devnet: 0x7f_ffffn << 232n,
};

/**
 * Checks that a header has its claimed hash, that the hash meets the header's target, and that the target isn't easier
 * than the network allows.
 * @throws ServiceError `invalid-proof`
 */
export function checkHeader(header: Header, network: Network): void {
  if (txidOf(headerBytes(header)) !== header.hash) throw wrong('header hash');
  const target = targetOf(header);
  if (target > EASIEST_TARGET[network]) throw wrong('target');
  if (BigInt(`0x${header.hash}`) > target) throw wrong('proof of work');
}

/** Serializes a header (80 bytes). @throws ServiceError `invalid-proof` if its fields are malformed */
export function headerBytes(header: Header): Uint8Array {
  const previous = header.previousblockhash || '0'.repeat(64);
  if (!/^[0-9a-f]{64}$/.test(previous) || !/^[0-9a-f]{8}$/.test(header.bits)) throw wrong('header form');
  return new ByteWriter()
    .uint32(header.version >>> 0)
    .txid(previous)
    .txid(header.merkleroot)
    .uint32(header.time)
    .uint32(Number.parseInt(header.bits, 16))
    .uint32(header.nonce)
    .done();
}

/** Returns the target: the maximum value of the header's hash. @throws ServiceError `invalid-proof` */
function targetOf({ bits }: Pick<Header, 'bits'>): bigint {
  const compact = Number.parseInt(bits, 16);
  const exponent = compact >>> 24;
  const target = BigInt(compact & 0x7f_ffff) << (8n * BigInt(Math.max(0, exponent - 3)));
  if ((compact & 0x80_0000) !== 0 || exponent < 3 || exponent > 32 || target === 0n) throw wrong('target form');
  return target;
}

/** Returns the expected number of hashes for a header, as nodes compute it for nChainWork. */
export function workOf(header: Pick<Header, 'bits'>): bigint {
  return (1n << 256n) / (targetOf(header) + 1n);
}

/**
 * A main-network header must have at least the mean work of the preceding headers divided by this number. The
 * difficulty adjustment changes the mean work of the last 144 blocks by at most a factor of two
 * (GetNextCashWorkRequired in the node: 72 to 288 intervals), but the wallet may have fewer than 144 headers.
 */
const EASIER = 4n;
export const RULE_BLOCKS = 144;

/**
 * Checks that no header in a branch is easier than the difficulty adjustment allows. Skipped on test networks, which
 * allow a minimum-difficulty block at any time.
 * @param branch linked headers, lowest first
 * @param before the stored headers below the branch, lowest first, without a gap; empty if there are none
 * @throws ServiceError `invalid-proof`
 */
export function checkEase(branch: readonly Header[], before: readonly Header[], network: Network): void {
  if (network !== 'mainnet') return;
  const chain = [...before, ...branch].map(workOf);
  for (let at = Math.max(1, before.length); at < chain.length; at += 1) {
    const mean = meanOf(chain.slice(Math.max(0, at - RULE_BLOCKS), at));
    if (EASIER * ((chain[at] as bigint) + 1n) < mean) throw wrong('target leaps');
  }
}

/**
 * Returns the minimum total work of headers that aren't linked to stored headers: a quarter of the mean of nearby
 * blocks. Difficulty limits between adjacent headers don't apply, because years may have passed in between.
 * @param sides the nearest stored headers below and above; the easier side is used
 */
export function leastWork(sides: readonly (readonly Header[])[], network: Network): bigint {
  const means =
    network === 'mainnet' ? sides.filter(({ length }) => length > 0).map((side) => meanOf(side.map(workOf))) : [];
  return means.reduce((least, mean) => (mean < least ? mean : least), means[0] ?? 0n) / EASIER;
}

export function totalWork(headers: readonly Header[]): bigint {
  return sumOf(headers.map(workOf));
}

const sumOf = (work: readonly bigint[]) => work.reduce((sum, one) => sum + one, 0n);
const meanOf = (work: readonly bigint[]) => sumOf(work) / BigInt(work.length);

/** Checks a TSC proof against its block header. @throws ServiceError `invalid-proof` */
export function checkProof(txid: string, proof: TscProof, header: Header, network: Network): void {
  checkHeader(header, network);
  if (proof.txOrId !== txid) throw wrong('another transaction');
  if (proof.target !== header.hash) throw wrong('another block');
  // No real block has a path longer than 64 steps or an index too large for the path.
  if (proof.nodes.length > 64 || proof.index < 0 || BigInt(proof.index) >= 1n << BigInt(proof.nodes.length))
    throw wrong('path length');
  let hash: Uint8Array = fromHex(txid).reverse();
  let index = proof.index;
  for (const node of proof.nodes) {
    if (node !== '*' && !/^[0-9a-f]{64}$/.test(node)) throw wrong('path node');
    const isRight = index % 2 === 1;
    const sibling = node === '*' ? hash : fromHex(node).reverse();
    // Only the last node of a row is duplicated (`*`), to its right. A duplicate isn't a transaction (CVE-2012-2459).
    if (isRight && equalBytes(sibling, hash)) throw wrong('duplicate on the left');
    hash = sha256d(isRight ? concatBytes(sibling, hash) : concatBytes(hash, sibling));
    index = Math.floor(index / 2);
  }
  if (toHex(hash.slice().reverse()) !== header.merkleroot) throw wrong('merkle root');
}
