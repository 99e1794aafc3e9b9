/** Where applications' data is kept besides this browser. */
import type { AppDataKept } from '../../../protocol/wallet-messages.ts';
import { database, readKey } from '../database.ts';

/**
 * At the account's service, in a file that the user once saved, or nowhere: then recovery words alone bring the money
 * back, and none of this.
 */
export async function appDataKept(): Promise<AppDataKept> {
  if (await readKey('account')) return 'service';
  return (await readKey('appLog'))?.exportedAt ? 'file' : 'nowhere';
}

/** Is nothing of applications kept yet? Then the user has not decided yet where it is to be kept. */
export async function isFirstAppData(): Promise<boolean> {
  return (await (await database()).count('appLog')) === 0;
}
