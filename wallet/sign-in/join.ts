/**
 * Signs in to the wallet's service after the user has signed in or registered on one of its pages. The service has an
 * account for this key only after the page has submitted the signature. The wallet then gets the account's data.
 */
import { readKey, readTransaction, database } from '../store/database.ts';
import { reviveReports } from '../payments/runner/revive.ts';
import { signInToAccount } from '../service/session.ts';
import { readSettings } from '../settings.ts';
import { announceChange } from '../events.ts';
import { allPrompts } from '../prompts/store.ts';
import type { Wallet } from '../platform.ts';

/** Delays before each check for an account (milliseconds). */
const WAITS_MS = [500, 1000, 2000, 4000, 8000, 16_000];

/** True if the user recently signed for the wallet's service, and the wallet has no account but may have one. */
async function isDue(wallet: Wallet): Promise<boolean> {
  if ((await readKey(wallet, 'account')) || !(await readKey(wallet, 'vault'))) return false;
  const { serviceUrl, noAccount } = await readSettings(wallet);
  if (noAccount) return false;
  return (await allPrompts(readTransaction(await database(wallet)))).some(
    (ask) => ask.kind === 'sign-in' && ask.origin === serviceUrl && ask.outcome !== null && 'answer' in ask.outcome,
  );
}

/** Signs in to the service if due. Retries for about half a minute, even if the worker was restarted. */
export async function joinService(wallet: Wallet): Promise<void> {
  for (const wait of WAITS_MS) {
    await new Promise((resolve) => wallet.setTimeout(resolve, wait));
    if (!(await isDue(wallet))) return;
    // If the wallet is locked or the service unreachable, a later attempt may succeed. The popup always offers to sign
    // in.
    const account = await signInToAccount(wallet).catch(() => null);
    if (account === null) continue;
    announceChange(wallet);
    return reviveReports(wallet);
  }
}
