/**
 * Detects whether third parties can still change the ID of a transaction in a BEEF. Since the Chronicle upgrade, they
 * can if the transaction is unconfirmed and its version is above 1.
 */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { isMalleable } from '../../protocol/bitcoin/p2pkh-unlock.ts';
import type { NetworkInfo } from './network-info.ts';
import { pathIn, type Beef, type BeefMember } from './read-beef.ts';
import { provenAt, provenBlock } from './headers/spv.ts';
import type { Wallet } from '../platform.ts';

/** Maximum number of transactions checked per call. */
const MAX_CHECKED = 100;

/**
 * True if the ID of a transaction or of one of its ancestors in the BEEF can still change: its version is above 1, and
 * it isn't known to be in the followed chain.
 * @param isOurs true for a transaction that this wallet signed and tracks until confirmation
 * @param takeTurn called before each network request about a transaction; an error it throws aborts the check
 * @throws ServiceError `invalid-proof` (a wrong merkle path), `too-large`, `network-unavailable`
 */
export async function mayChangeId(
  wallet: Wallet,
  info: NetworkInfo,
  beef: Beef,
  subject: BeefMember,
  isOurs: (txid: string) => Promise<boolean>,
  takeTurn: () => void,
): Promise<boolean> {
  const waiting = [subject];
  const found = new Set([subject.txid]);
  for (let member = waiting.pop(); member; member = waiting.pop()) {
    const { txid, bump, transaction } = member;
    if (bump && (await provenAt(wallet, info, txid, { height: bump.height, ...pathIn(bump, txid) }))) continue;
    if (await isOurs(txid)) continue;
    if (isMalleable(transaction.version)) {
      takeTurn();
      if (!(await provenBlock(wallet, info, txid))) return true;
      continue;
    }
    for (const { txid: parent } of transaction.inputs) {
      const next = beef.members.get(parent);
      if (!next || found.has(parent)) continue;
      found.add(parent);
      if (found.size > MAX_CHECKED) throw new ServiceError('too-large', { detail: 'BEEF: too many ancestors' });
      waiting.push(next);
    }
  }
  return false;
}
