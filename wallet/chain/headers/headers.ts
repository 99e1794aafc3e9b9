/**
 * The stored headers, at most one per height. The highest headers, without gaps, form the followed chain. Below it
 * are the headers of blocks that contain older coins, and of the chain as the wallet followed it before it was offline
 * for a long time.
 */
import { unconfirmAbove } from '../../coins/reorg.ts';
import { database, inTransaction } from '../../store/database.ts';
import { RULE_BLOCKS, totalWork, workOf } from './proof.ts';
import { announceChange } from '../../events.ts';
import type { Header } from '../whats-on-chain.ts';
import { announceReorg } from './reorg.ts';
import type { Wallet } from '../../platform.ts';

/** Returns up to 144 stored headers below a height and up to 144 above it. */
export async function heldAround(wallet: Wallet, height: number): Promise<[below: Header[], above: Header[]]> {
  const index = (await database(wallet)).transaction('headers').store.index('height');
  const below: Header[] = [];
  let cursor = await index.openCursor(wallet.keyRange.upperBound(height, true), 'prev');
  for (; cursor && below.length < RULE_BLOCKS; cursor = await cursor.continue()) below.push(cursor.value);
  return [below, await index.getAll(wallet.keyRange.lowerBound(height, true), RULE_BLOCKS)];
}

/**
 * Adopts a checked branch and replaces all stored headers above its root. The same database transaction undoes the
 * confirmations and decisions that depend on blocks above the root. Does nothing if the branch has no more work than
 * the headers it would replace, because the first branch seen wins a tie, as in every node.
 * @param branch linked headers, lowest first; the first one links to the stored header below it, if that height has one
 */
export async function adoptBranch(
  wallet: Wallet,
  branch: readonly Header[],
): Promise<'adopted' | 'as much work' | 'less work'> {
  const root = (branch[0]?.height ?? 0) - 1;
  const outcome = await inTransaction(wallet, async (tx) => {
    const headers = tx.objectStore('headers');
    const replaced = await headers.index('height').getAll(wallet.keyRange.lowerBound(root, true));
    const more = totalWork(branch) - workAbove(root, replaced);
    if (more <= 0n) return more === 0n ? ('as much work' as const) : ('less work' as const);
    for (const { hash } of replaced) await headers.delete(hash);
    for (const header of branch) await headers.put(header);
    await unconfirmAbove(wallet, tx, root);
    return announceReorg(wallet, tx, root);
  });
  if (typeof outcome === 'string') return outcome;
  announceChange(wallet);
  await outcome();
  return 'adopted';
}

/**
 * Returns the work of all blocks above a height. A missing header is assumed to have the work of the next stored one.
 */
function workAbove(root: number, headers: readonly Header[]): bigint {
  let below = root;
  let work = 0n;
  for (const header of headers) {
    work += workOf(header) * BigInt(header.height - below);
    below = header.height;
  }
  return work;
}

/**
 * Stores the checked header of a single block below the tip.
 * @returns false if the header contradicts stored ones, or is above all of them
 */
export async function storeOlder(wallet: Wallet, header: Header): Promise<boolean> {
  return inTransaction(wallet, async (tx) => {
    const headers = tx.objectStore('headers');
    const heights = headers.index('height');
    const same = await heights.get(header.height);
    if (same) return same.hash === header.hash;
    if ((await heights.count(wallet.keyRange.lowerBound(header.height))) === 0) return false;
    const [above, below] = [await heights.get(header.height + 1), await heights.get(header.height - 1)];
    if (above && above.previousblockhash !== header.hash) return false;
    if (below && below.hash !== header.previousblockhash) return false;
    await headers.put(header);
    return true;
  });
}
