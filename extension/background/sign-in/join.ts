/**
 * After the user has signed for a page of the wallet's own service, that service has an account for this key, or soon
 * will: the page hands the signature in. The wallet signs in there as well then, and knows its account.
 */
import { database, readKey } from '../database.ts';
import { reviveReports } from '../payment/revive.ts';
import { signInToAccount } from '../service/client.ts';
import { readSettings } from '../settings.ts';
import { announceChange } from '../events.ts';

/** When to look whether the page has handed it in, after the signature and after each look (milliseconds). */
const WAITS_MS = [500, 1000, 2000, 4000, 8000, 16_000];

/** Has the user signed lately for the service that the wallet is set to, is no account known, and may there be one? */
async function isDue(): Promise<boolean> {
  if ((await readKey('account')) || !(await readKey('vault'))) return false;
  const { serviceUrl, noAccount } = await readSettings();
  if (noAccount) return false;
  return (await (await database()).getAll('prompts')).some(
    (ask) => ask.kind === 'sign-in' && ask.origin === serviceUrl && ask.outcome !== null && 'answer' in ask.outcome,
  );
}

/**
 * Signs in to the service where that is due; gives up after half a minute. Also at the worker's start: it may have died
 * in between.
 */
export async function joinService(): Promise<void> {
  for (const wait of WAITS_MS) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (!(await isDue())) return;
    // Locked, out of reach: the next try may do better, and the popup offers it at any time.
    const account = await signInToAccount().catch(() => null);
    if (account === null) continue;
    announceChange();
    return reviveReports();
  }
}
