/**
 * Serializes a transaction as BEEF (BRC-62), with the merkle paths (BUMP, BRC-74) of its nearest confirmed ancestors
 * and all transactions in between, so the recipient can verify it offline.
 */
import { concatBytes, fromHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { parseTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { ByteWriter } from '../../protocol/bitcoin/wire-format.ts';
import { blockHeader, transactionHex, type TscProof } from './whats-on-chain.ts';
import { proofsOf } from './headers/spv.ts';
import { heldHeader } from './headers/store.ts';
import type { Beef } from './read-beef.ts';
import type { Wallet } from '../platform.ts';

/** Maximum number of transactions and total size (bytes) of a BEEF for one transaction. */
const BEEF_LIMITS = { transactions: 50, bytes: 2_000_000 };
const LIST_BEEF_LIMITS = { transactions: 500, bytes: 8_000_000 };

/** A transaction in the BEEF, with its merkle path if confirmed. */
interface Member {
  bytes: Uint8Array;
  path: Uint8Array | null;
}

/** A transaction's known data. `path` is undefined if it must be requested from the index. */
export type KnownMember = Pick<Member, 'bytes'> & { path: Uint8Array | null | undefined };
/** Looks up a transaction that the index may not have; null if unknown. */
export type FindMember = (txid: string) => Promise<KnownMember | null>;
const NOWHERE: FindMember = () => Promise.resolve(null);

interface Lookup {
  /** Called before the index is queried. */
  find?: FindMember;
  /** Called before each index request, to count it. Throws once the caller's limit is reached. */
  takeTurn?: () => void;
}

/**
 * Returns the BEEF for an unconfirmed transaction. Checks the IDs of ancestors from the index, but not their merkle
 * paths, which the recipient verifies.
 * @throws ServiceError `network-unavailable` (the index doesn't have an ancestor, or its proof is malformed),
 * `too-large`
 */
export async function beefOf(
  wallet: Wallet,
  wocUrl: string,
  rawtx: Uint8Array,
  lookup: Lookup = {},
): Promise<Uint8Array> {
  const gathering = new Gathering(wallet, wocUrl, lookup, BEEF_LIMITS);
  await gathering.add(txidOf(rawtx), rawtx, null);
  return gathering.write();
}

/** Returns one BEEF for several transactions, given their IDs. Throws the same errors as {@link beefOf}. */
export async function beefOfList(
  wallet: Wallet,
  wocUrl: string,
  txids: Iterable<string>,
  lookup: Lookup = {},
): Promise<Uint8Array> {
  const gathering = new Gathering(wallet, wocUrl, lookup, LIST_BEEF_LIMITS);
  for (const txid of txids) await gathering.addById(txid);
  return gathering.write();
}

/** Converts a BEEF to Atomic BEEF (BRC-95) for one transaction. */
export function atomicBeef(txid: string, beef: Uint8Array): Uint8Array {
  return concatBytes(fromHex('01010101'), fromHex(txid).reverse(), beef);
}

class Gathering {
  readonly #wallet: Wallet;
  readonly #members = new Map<string, Member>();
  readonly #wocUrl: string;
  readonly #find: FindMember;
  readonly #takeTurn: () => void;
  readonly #most: typeof BEEF_LIMITS;
  #size = 0;

  constructor(
    wallet: Wallet,
    wocUrl: string,
    { find = NOWHERE, takeTurn = () => {} }: Lookup,
    most: typeof BEEF_LIMITS,
  ) {
    this.#wallet = wallet;
    this.#wocUrl = wocUrl;
    this.#find = find;
    this.#takeTurn = takeTurn;
    this.#most = most;
  }

  /** Adds a transaction after adding its parents. */
  async add(id: string, bytes: Uint8Array, path: Uint8Array | null): Promise<void> {
    if (path === null) for (const { txid } of parseTransaction(bytes).inputs) await this.addById(txid);
    this.#members.set(id, { bytes, path });
  }

  async addById(id: string): Promise<void> {
    if (this.#members.has(id)) return;
    const known = await this.#find(id);
    const bytes = known?.bytes ?? (await this.#fetch(id));
    this.#size += bytes.length;
    if (this.#members.size >= this.#most.transactions || this.#size > this.#most.bytes)
      throw new ServiceError('too-large', { detail: 'too many ancestors' });
    await this.add(id, bytes, known?.path === undefined ? await this.#path(id) : known.path);
  }

  async #fetch(id: string): Promise<Uint8Array> {
    this.#takeTurn();
    const hex = await transactionHex(this.#wallet, this.#wocUrl, id);
    const bytes = hex === null ? null : fromHex(hex);
    if (bytes === null || txidOf(bytes) !== id)
      throw new ServiceError('network-unavailable', { detail: 'unknown ancestor' });
    return bytes;
  }

  async #path(id: string): Promise<Uint8Array | null> {
    this.#takeTurn();
    const [proof] = await proofsOf(this.#wallet, { wocUrl: this.#wocUrl }, id);
    return proof ? bumpOf(this.#wallet, this.#wocUrl, id, proof) : null;
  }

  write(): Uint8Array {
    return writeBeef([...this.#members.values()]);
  }
}

/** Serializes transactions, parents first. Transactions with the same path array share one merkle path. */
function writeBeef(members: readonly Member[]): Uint8Array {
  const paths = [...new Set(members.flatMap(({ path }) => path ?? []))];
  const places = new Map(paths.map((path, i) => [path, i]));
  const writer = new ByteWriter()
    .bytes(fromHex('0100beef'))
    .compactSize(paths.length)
    .bytes(concatBytes(...paths))
    .compactSize(members.length);
  for (const { bytes, path } of members) {
    writer.bytes(bytes).uint8(path ? 1 : 0);
    if (path) writer.compactSize(places.get(path) as number);
  }
  return writer.done();
}

/**
 * Returns the transactions with the given IDs as BEEF, with their ancestors up to the nearest merkle paths. Undefined
 * if the BEEF contains none of them.
 */
export function partOfBeef({ members }: Beef, txids: Iterable<string>): Uint8Array | undefined {
  const found = new Map<string, Member>();
  const add = (txid: string): void => {
    const member = members.get(txid);
    if (!member || found.has(txid)) return;
    if (!member.bump) for (const input of member.transaction.inputs) add(input.txid);
    found.set(txid, { bytes: member.bytes, path: member.bump?.bytes ?? null });
  };
  for (const txid of txids) add(txid);
  return found.size > 0 ? writeBeef([...found.values()]) : undefined;
}

/** Converts a merkle proof to BUMP: the sibling at each height, plus the transaction itself at the lowest height. */
async function bumpOf(
  wallet: Wallet,
  wocUrl: string,
  id: string,
  { index, target, nodes }: TscProof,
): Promise<Uint8Array> {
  const header = (await heldHeader(wallet, target)) ?? (await blockHeader(wallet, wocUrl, target));
  if (
    !header ||
    nodes.length > 64 ||
    index < 0 ||
    !nodes.every((node) => node === '*' || /^[0-9a-f]{64}$/.test(node))
  ) {
    throw new ServiceError('network-unavailable', { detail: 'invalid proof' });
  }
  const writer = new ByteWriter().compactSize(header.height).uint8(Math.max(1, nodes.length));
  const [hash, copy, transaction] = [0, 1, 2];
  const own = () => writer.compactSize(index).uint8(transaction).txid(id);
  if (nodes.length === 0) {
    writer.compactSize(1);
    own();
  }
  let offset = index;
  for (const [height, node] of nodes.entries()) {
    const sibling = () => {
      writer.compactSize(offset % 2 === 0 ? offset + 1 : offset - 1).uint8(node === '*' ? copy : hash);
      if (node !== '*') writer.txid(node);
    };
    writer.compactSize(height === 0 ? 2 : 1);
    // BUMP sorts leaves by offset.
    if (height === 0 && offset % 2 === 0) own();
    sibling();
    if (height === 0 && offset % 2 === 1) own();
    offset = Math.floor(offset / 2);
  }
  return writer.done();
}
