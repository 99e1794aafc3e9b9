/** Determines where applications' data is stored outside this browser. */
import type { AppDataLocation } from '../../protocol/messages/wallet-messages.ts';
import { database, readKey, readTransaction } from '../store/database.ts';
import { countLogged } from './records.ts';
import type { Wallet } from '../platform.ts';

/** Returns where the data is also stored: on the account's service, in a file exported by the user, or nowhere. */
export async function appDataLocation(wallet: Wallet): Promise<AppDataLocation> {
  if (await readKey(wallet, 'account')) return 'service';
  return (await readKey(wallet, 'appLog'))?.exportedAt ? 'file' : 'nowhere';
}

/** True if no application data is stored yet, in which case the user hasn't decided where to store it. */
export async function isFirstAppData(wallet: Wallet): Promise<boolean> {
  return (await countLogged(readTransaction(await database(wallet)))) === 0;
}
