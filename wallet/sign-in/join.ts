/**
 * After the user has signed for a page of the wallet's own service, that service has an account for this key as soon as
 * the page submits the signature. The wallet then signs in there as well, and learns its account.
 */
import { readKey, readTransaction, database } from '../store/database.ts';
import { reviveReports } from '../payments/runner/revive.ts';
import { signInToAccount } from '../service/client.ts';
import { readSettings } from '../settings.ts';
import { announceChange } from '../events.ts';
import { allPrompts } from '../prompts/store.ts';
import type { Wallet } from '../platform.ts';

/** When to check whether the page has submitted it, after the signature and after each check (milliseconds). */
const WAITS_MS = [500, 1000, 2000, 4000, 8000, 16_000];

/** True if the user has recently signed for the wallet's service, no account is known, and there may be one. */
async function isDue(wallet: Wallet): Promise<boolean> {
  if ((await readKey(wallet, 'account')) || !(await readKey(wallet, 'vault'))) return false;
  const { serviceUrl, noAccount } = await readSettings(wallet);
  if (noAccount) return false;
  return (await allPrompts(readTransaction(await database(wallet)))).some(
    (ask) => ask.kind === 'sign-in' && ask.origin === serviceUrl && ask.outcome !== null && 'answer' in ask.outcome,
  );
}

/** Signs in to the service if that is due, for half a minute at most, even after the worker was stopped. */
export async function joinService(wallet: Wallet): Promise<void> {
  for (const wait of WAITS_MS) {
    await new Promise((resolve) => wallet.setTimeout(resolve, wait));
    if (!(await isDue(wallet))) return;
    // Locked or unreachable: the next attempt may succeed, and the popup offers it at any time.
    const account = await signInToAccount(wallet).catch(() => null);
    if (account === null) continue;
    announceChange(wallet);
    return reviveReports(wallet);
  }
}
