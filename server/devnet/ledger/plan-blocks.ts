/** Plans the next blocks of a chain: transactions, times and proof of work. Pure; doesn't change the ledger. */
import { coinbaseBytes, medianTime, merkleRoot, mineHeader, headerHash, NO_BLOCK } from './blocks.ts';
import type { Ledger } from './ledger.ts';
import { FIRST_BLOCKS, SUBSIDY } from '../arc/policy.ts';
import { txidOf } from '../../../protocol/bitcoin/transaction.ts';

/** Seconds between the chain's first blocks, which are backdated. */
const PAST_INTERVAL = 600;

/** A block that extends the chain and the blocks planned before it. */
export interface PlannedBlock {
  header: Uint8Array;
  coinbase: Uint8Array;
  /** The block's txids without the coinbase's. */
  txids: readonly string[];
}

/**
 * Plans the next `count` blocks. The first contains all waiting transactions, in order of acceptance. Each block time
 * exceeds the median of the previous eleven, and is as close to `now` (seconds since 1970) as possible.
 * @param lockingScript the coinbases' locking script
 */
export function planBlocks(ledger: Ledger, lockingScript: Uint8Array, count: number, now: number): PlannedBlock[] {
  const start = ledger.height + 1;
  const times: number[] = [];
  for (let height = Math.max(0, start - 11); height < start; height += 1)
    times.push(ledger.block(height)?.header.time ?? 0);
  let previous = ledger.tip?.hash ?? NO_BLOCK;
  return Array.from({ length: count }, (_, i) => {
    const height = start + i;
    const waiting = i === 0 ? [...ledger.mempool.values()] : [];
    const fees = waiting.reduce((sum, { fee }) => sum + fee, 0n);
    const coinbase = coinbaseBytes(height, SUBSIDY + fees, lockingScript);
    const txids = waiting.map(({ txid }) => txid);
    const wanted = now - Math.max(0, FIRST_BLOCKS - height) * PAST_INTERVAL;
    const time = Math.max(wanted, medianTime(times) + 1);
    times.push(time);
    const header = mineHeader({
      version: 0x2000_0000,
      previous,
      merkleRoot: merkleRoot([txidOf(coinbase), ...txids]),
      time,
    });
    previous = headerHash(header);
    return { header, coinbase, txids };
  });
}
