/**
 * Writes a transaction as BEEF (BRC-62): with the merkle paths (BUMP, BRC-74) of the nearest ancestors that a block
 * holds and all transactions in between, so that its receiver can check it without asking anybody.
 */
import { concatBytes, fromHex } from '../../../protocol/bytes.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { ByteWriter, parseTransaction, txidOf } from '../../../protocol/transaction.ts';
import { blockHeader, merkleProof, transactionHex, type TscProof } from './whats-on-chain.ts';

/** Most ancestors, and most of their bytes, that are put together. */
const MAX_ANCESTORS = 50;
const MAX_BYTES = 2_000_000;

/** A transaction of the BEEF; with its path where a block holds it. */
interface Member {
  bytes: Uint8Array;
  path: Uint8Array | null;
}

/**
 * The BEEF of a transaction, hex-free bytes. The ancestors from the index are compared with their ids; the receiver
 * verifies the paths.
 * @throws ServiceError `network-unavailable` (the index does not have an ancestor, or its proof is malformed),
 * `too-large`
 */
export async function beefOf(wocUrl: string, rawtx: Uint8Array): Promise<Uint8Array> {
  const members = new Map<string, Member>();
  let size = 0;

  /** Puts a transaction behind its parents. */
  async function add(id: string, bytes: Uint8Array, path: Uint8Array | null): Promise<void> {
    if (path === null) for (const { txid } of parseTransaction(bytes).inputs) await addAncestor(txid);
    members.set(id, { bytes, path });
  }

  async function addAncestor(id: string): Promise<void> {
    if (members.has(id)) return;
    const hex = await transactionHex(wocUrl, id);
    const bytes = hex === null ? null : fromHex(hex);
    if (bytes === null || txidOf(bytes) !== id)
      throw new ServiceError('network-unavailable', { detail: 'an ancestor is not known' });
    size += bytes.length;
    if (members.size >= MAX_ANCESTORS || size > MAX_BYTES)
      throw new ServiceError('too-large', { detail: 'too many ancestors' });
    const proof = await merkleProof(wocUrl, id);
    await add(id, bytes, proof && (await bumpOf(wocUrl, id, proof)));
  }

  await add(txidOf(rawtx), rawtx, null);
  const paths = [...members.values()].flatMap(({ path }) => path ?? []);
  const writer = new ByteWriter()
    .bytes(fromHex('0100beef'))
    .compactSize(paths.length)
    .bytes(concatBytes(...paths))
    .compactSize(members.size);
  let next = 0;
  for (const { bytes, path } of members.values()) {
    writer.bytes(bytes).uint8(path ? 1 : 0);
    if (path) writer.compactSize(next++);
  }
  return writer.done();
}

/** A merkle proof in BUMP form: at each height the sibling, at the lowest the transaction beside it. */
async function bumpOf(wocUrl: string, id: string, { index, target, nodes }: TscProof): Promise<Uint8Array> {
  const header = await blockHeader(wocUrl, target);
  if (
    !header ||
    nodes.length > 64 ||
    index < 0 ||
    !nodes.every((node) => node === '*' || /^[0-9a-f]{64}$/.test(node))
  ) {
    throw new ServiceError('network-unavailable', { detail: 'a proof that makes no sense' });
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
    // Leaves are in the order of their offsets.
    if (height === 0 && offset % 2 === 0) own();
    sibling();
    if (height === 0 && offset % 2 === 1) own();
    offset = Math.floor(offset / 2);
  }
  return writer.done();
}
