/**
 * Checks a transaction in a BEEF: it must be in a block of the followed chain or known to the network. A transaction
 * unknown to the network is broadcast with the ancestors it needs.
 */
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { outcomeOf } from '../../protocol/network/broadcaster/outcome.ts';
import { submit, transactionStatus } from './operators.ts';
import type { NetworkInfo } from './network-info.ts';
import { pathIn, readMerklePath, type Beef, type BeefMember } from './read-beef.ts';
import { fetchTransaction, provenAt } from './headers/spv.ts';
import type { Header } from './whats-on-chain.ts';
import type { Wallet } from '../platform.ts';

/** Maximum number of transactions checked per call. */
const MAX_TRANSACTIONS = 100;

/**
 * Checks a transaction in a BEEF, and broadcasts the transaction if the network doesn't have it.
 * @param isOurs true for a transaction that this wallet signed and may not have broadcast yet
 * @param takeTurn called before each network request about a transaction; an error it throws aborts the check
 * @returns the block that contains it, or null if the network has it unconfirmed
 * @throws ServiceError `invalid-proof` (a wrong merkle path), `invalid-transaction` (an input doesn't exist, or the
 * network rejects it), `too-large`, `network-unavailable`
 */
export async function checkMember(
  wallet: Wallet,
  info: NetworkInfo,
  beef: Beef,
  { txid }: Pick<BeefMember, 'txid'>,
  isOurs: (txid: string) => Promise<boolean>,
  takeTurn: () => void = () => undefined,
): Promise<Header | null> {
  const checked = new Set<string>();

  async function check(id: string): Promise<Header | null> {
    if (checked.has(id)) return null;
    checked.add(id);
    if (checked.size > MAX_TRANSACTIONS) throw new ServiceError('too-large', { detail: 'BEEF: too many ancestors' });
    const member = beef.members.get(id);
    const block = member?.bump
      ? await provenAt(wallet, info, id, { height: member.bump.height, ...pathIn(member.bump, id) })
      : null;
    if (block || (await isOurs(id))) return block;
    takeTurn();
    if (await isKnown(wallet, info, id)) return null;
    if (!member) throw new ServiceError('invalid-transaction', { detail: 'BEEF: missing ancestor' });
    for (const parent of new Set(member.transaction.inputs.map((input) => input.txid))) await check(parent);
    checkAmounts(beef, member);
    await give(wallet, info, beef, member);
    return null;
  }

  return check(txid);
}

/**
 * Returns the block that contains a transaction according to an operator's merkle path (BUMP, hex). Null if the path
 * proves no block, in which case the index must be queried.
 * @throws ServiceError `network-unavailable`
 */
export async function provenByPath(
  wallet: Wallet,
  info: NetworkInfo,
  txid: string,
  merklePath: string,
): Promise<Header | null> {
  try {
    const bump = readMerklePath(merklePath, txid);
    return await provenAt(wallet, info, txid, { height: bump.height, ...pathIn(bump, txid) });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'network-unavailable') throw error;
    return null;
  }
}

/**
 * True if an operator or the index has the transaction.
 * @throws ServiceError `network-unavailable`, `invalid-proof`
 */
export async function isKnown(wallet: Wallet, info: NetworkInfo, txid: string): Promise<boolean> {
  const status = await transactionStatus(wallet, info, txid).catch(() => undefined);
  if (status && outcomeOf(status).kind === 'accepted') return true;
  return (await fetchTransaction(wallet, info, txid)) !== null;
}

/** Checks offline that the outputs don't exceed the inputs, if the BEEF contains all parents. */
function checkAmounts(beef: Beef, { transaction }: BeefMember): void {
  let brought = 0n;
  for (const { txid, vout } of transaction.inputs) {
    const parent = beef.members.get(txid);
    if (!parent) return; // the network will check the amounts
    const output = parent.transaction.outputs[vout];
    if (!output) throw new ServiceError('invalid-transaction', { detail: 'BEEF: missing output' });
    brought += output.satoshis;
  }
  const taken = transaction.outputs.reduce((sum, { satoshis }) => sum + satoshis, 0n);
  if (taken > brought) throw new ServiceError('invalid-transaction', { detail: 'BEEF: outputs exceed inputs' });
}

async function give(wallet: Wallet, info: NetworkInfo, { members }: Beef, { bytes, txid }: BeefMember): Promise<void> {
  const parents = (id: string) => members.get(id)?.transaction;
  const outcome = await submit(wallet, info, { rawtx: toHex(bytes), txid, parents });
  if (outcome.kind === 'accepted') return;
  throw ['unreachable', 'pending', 'later'].includes(outcome.kind)
    ? new ServiceError('network-unavailable', { detail: outcome.detail })
    : new ServiceError('invalid-transaction', { detail: `BEEF: ${outcome.detail}` });
}
