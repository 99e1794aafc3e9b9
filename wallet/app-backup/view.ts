import type { AppDataView } from '../../protocol/messages/wallet-messages.ts';
import { isErrorCode } from '../../protocol/errors/service-error.ts';
import { appDataKept } from '../app-log/kept.ts';
import { database } from '../store/database.ts';
import type { Database } from '../store/schema.ts';
import { countUnapplied } from './apply.ts';
import { readState } from './state.ts';
import type { Wallet } from '../platform.ts';

export async function viewAppData(wallet: Wallet): Promise<AppDataView> {
  const db = await database(wallet);
  const [state, kept, all, gone, unsent, unapplied] = await Promise.all([
    readState(wallet),
    appDataKept(wallet),
    db.count('appLog'),
    countGone(db),
    db.countFromIndex('appLog', 'unsent'),
    countUnapplied(wallet),
  ]);
  const { problem } = state.retry;
  return {
    kept,
    entries: all - gone,
    unsent: kept === 'service' ? unsent : 0,
    trouble: isErrorCode(problem) ? problem : state.leftOut ? 'app-log-full' : null,
    unapplied,
    damaged: state.problem === 'damaged',
    exportedAt: state.exportedAt,
  };
}

async function countGone(db: Database): Promise<number> {
  const kinds = ['output-gone', 'payment-gone', 'outpoint-gone'];
  const counts = await Promise.all(
    kinds.map((kind) => db.countFromIndex('appLog', 'kind', IDBKeyRange.bound([kind], [kind, []]))),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
