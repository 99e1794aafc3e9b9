/** Where applications' data is kept in addition to this browser. */
import type { AppDataKept } from '../../../protocol/wallet-messages.ts';
import { database, readKey } from '../database.ts';

/** At the account's service, in a file that the user once saved, or nowhere. */
export async function appDataKept(): Promise<AppDataKept> {
  if (await readKey('account')) return 'service';
  return (await readKey('appLog'))?.exportedAt ? 'file' : 'nowhere';
}

/** True if no applications' data is stored yet, so the user hasn't decided where to keep it. */
export async function isFirstAppData(): Promise<boolean> {
  return (await (await database()).count('appLog')) === 0;
}
