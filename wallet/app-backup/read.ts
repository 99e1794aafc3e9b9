/** Reads the complete log from the account's service and detects lost or altered blocks. */
import { APP_LOG_LIMITS } from '../../protocol/http/app-log.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { AppLogProblem, AppLogState } from '../app-log/state.ts';
import { networkInfo } from '../chain/network.ts';
import { announceChange } from '../events.ts';
import { listBlocks } from '../service/app-log.ts';
import { appLogKey } from '../vault/app-log-key.ts';
import { merge } from './merge.ts';
import { Reading } from './reading.ts';
import { changeState, readState } from './state.ts';
import type { Wallet } from '../platform.ts';

/** Maximum number of blocks. While a log is being replaced, it can have twice its normal limit. */
const MAX_BLOCKS = 2 * APP_LOG_LIMITS.blocks;
const MAX_LOG_BYTES = 2 * APP_LOG_LIMITS.bytes;

/**
 * Reads and merges the log. Records altered or missing blocks, and merges intact ones. The position is stored only at
 * the end, because reading is idempotent.
 * @throws ServiceError `wallet-locked`, `service-unavailable`, and codes from the service
 */
export async function readLog(wallet: Wallet, origin: string): Promise<void> {
  const [{ key }, { network }, before] = [await appLogKey(wallet), await networkInfo(wallet), await readState(wallet)];
  const reading = new Reading(key, network);
  let [cursor, blocks, bytes, taken] = [0, 0, 0, 0];
  for (let more = true; more;) {
    const page = await listBlocks(wallet, origin, cursor);
    for (const { position, writer, sequence, block } of page.blocks) {
      if (position <= cursor) throw new ServiceError('service-unavailable', { detail: 'blocks out of order' });
      cursor = position;
      blocks += 1;
      bytes += (block.length * 3) / 4;
      if (blocks > MAX_BLOCKS || bytes > 1.1 * MAX_LOG_BYTES)
        throw new ServiceError('service-unavailable', { detail: 'too many blocks' });
      const entries = await reading.open({ writer, sequence, block });
      if (entries.length === 0) continue;
      await changeState(wallet, async (now, tx) => {
        if (now.at === before.at) taken += await merge(wallet, tx, entries, 'service');
        return undefined;
      });
    }
    more = page.more && page.blocks.length > 0;
  }
  const after = await changeState(wallet, (now) => {
    if (now.at !== before.at || now.writer !== before.writer) return undefined;
    return {
      ...now,
      cursor,
      heads: reading.heads,
      readAt: wallet.now(),
      bytes,
      blocks,
      problem: problemAfter(now, before, reading),
    };
  });
  if (taken > 0 || after.problem !== before.problem) announceChange(wallet);
}

function problemAfter(now: AppLogState, before: AppLogState, reading: Reading): AppLogProblem | null {
  const isLost = (reading.heads[before.writer] ?? 0) < before.acknowledged;
  const isDamaged = reading.isAltered || reading.missing.some((writer) => writer !== before.writer);
  if (isDamaged) return 'damaged';
  if (isLost || reading.missing.length > 0) return 'lost';
  return now.problem === 'damaged' ? null : now.problem;
}
