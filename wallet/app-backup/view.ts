import type { AppDataView } from '../../protocol/messages/wallet-messages.ts';
import { isErrorCode } from '../../protocol/errors/service-error.ts';
import { appDataLocation } from '../app-log/backup-location.ts';
import { database, type Reading, readTransaction } from '../store/database.ts';
import { readState } from './state.ts';
import { countLogged, countOfKind, countUnapplied, countUnsent } from '../app-log/records.ts';
import type { Wallet } from '../platform.ts';

export async function viewAppData(wallet: Wallet): Promise<AppDataView> {
  const tx = readTransaction(await database(wallet));
  const [all, gone, unsent, unapplied, state, kept] = await Promise.all([
    countLogged(tx),
    countGone(wallet, tx),
    countUnsent(tx),
    countUnapplied(tx),
    readState(wallet),
    appDataLocation(wallet),
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

async function countGone(wallet: Wallet, tx: Reading): Promise<number> {
  const kinds = ['output-gone', 'payment-gone', 'outpoint-gone'] as const;
  const counts = await Promise.all(kinds.map((kind) => countOfKind(wallet, tx, kind)));
  return counts.reduce((sum, count) => sum + count, 0);
}
