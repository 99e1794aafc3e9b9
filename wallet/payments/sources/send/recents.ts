/** Lists recent recipients for the send form. */
import { readTransaction, database } from '../../../store/database.ts';
import { readSettings } from '../../../settings.ts';
import { OWN } from '../../../sites/site.ts';
import { isLive } from '../../move.ts';
import { newestPayments } from '../../store.ts';
import type { Wallet } from '../../../platform.ts';

/** Maximum number of recipients offered, and maximum number of payments searched. */
const [MAX_RECIPIENTS, MAX_PAYMENTS_READ] = [6, 200];

/** Returns distinct recipients as the user typed them, latest first. Excludes scripts. */
export async function recentRecipients(wallet: Wallet): Promise<{ recipients: string[] }> {
  const recipients = new Set<string>();
  const own = new URL((await readSettings(wallet)).serviceUrl).origin;
  let left = MAX_PAYMENTS_READ;
  for await (const record of newestPayments(wallet, readTransaction(await database(wallet)), OWN)) {
    if (left === 0) break;
    left -= 1;
    const { quote, cancel, asset } = record;
    if (cancel || asset?.mint || !isLive(record)) continue;
    for (const { to, type, host } of quote.outputs) {
      if (recipients.size === MAX_RECIPIENTS) return { recipients: [...recipients] };
      // A user ID at a previous service belongs to a different person at the current one.
      if (type !== 'SCRIPT' && (type !== 'USER' || host?.namedBy === own)) recipients.add(to);
    }
  }
  return { recipients: [...recipients] };
}
