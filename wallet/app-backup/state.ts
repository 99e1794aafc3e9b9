import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { newState, type AppLogState } from '../app-log/state.ts';
import { readKey, keyedTransaction, keyIn, putKeyIn } from '../store/database.ts';
import { changeAllLogged, type LogTransaction } from '../app-log/records.ts';
import type { Wallet } from '../platform.ts';

export async function readState(wallet: Wallet): Promise<AppLogState> {
  return (await readKey(wallet, 'appLog')) ?? newState(null, '');
}

export const newWriter = (wallet: Wallet): string => toHex(wallet.getRandomValues(new Uint8Array(8)));

/**
 * Changes the log's state, and optionally its entries, in one transaction. `change` may await only the database.
 * @param change returns the new state; undefined leaves it unchanged
 */
export async function changeState(
  wallet: Wallet,
  change: (state: AppLogState, tx: LogTransaction) => AppLogState | undefined | Promise<AppLogState | undefined>,
): Promise<AppLogState> {
  const tx = await keyedTransaction(wallet, ['appLog'], 'write');
  tx.done.catch(() => undefined); // `tx.done` is awaited below
  const before = (await keyIn(tx, 'appLog')) ?? newState(null, newWriter(wallet));
  const after = await change(before, tx);
  if (after) await putKeyIn(tx, 'appLog', after);
  await tx.done;
  return after ?? before;
}

/** Marks all entries, or only those with the given keys, to be sent again. Unmarks all others. */
export function sendAll(tx: LogTransaction, keys?: ReadonlySet<string>): Promise<void> {
  return changeAllLogged(tx, (logged) => {
    const { unsent, ...rest } = logged;
    const isSent = !keys || keys.has(rest.key);
    if (isSent === (unsent === 1)) return logged;
    return isSent ? { ...rest, unsent: 1 } : rest;
  });
}
