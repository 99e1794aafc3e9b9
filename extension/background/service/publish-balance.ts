/**
 * Tells the service what the wallet holds, signed, while the user allows some application to read it: never otherwise,
 * never while the wallet is locked, and no more than once a minute unless it changed.
 */
import { balanceMessage } from '../../../protocol/balance-message.ts';
import { balance } from '../coins/store.ts';
import { readKey } from '../database.ts';
import { signAsIdentity } from '../vault/identity.ts';
import { unlockedUntil } from '../vault/session.ts';
import { isBalanceWanted, putBalance } from './client.ts';

/** As long as nothing changes, the service is not asked again within this (milliseconds). */
const EVERY_MS = 60_000;

// What the service was last asked about, and when. A worker that starts anew asks once more.
let last: { userId: string; satoshis: bigint; at: number } | null = null;
let running: Promise<void> | null = null;

/** Publishes what the coins are worth now, where it is wanted. Never throws: the next refresh tries again. */
export function publishBalance(): Promise<void> {
  running ??= publish()
    .catch(() => undefined)
    .finally(() => {
      running = null;
    });
  return running;
}

async function publish(): Promise<void> {
  const account = await readKey('account');
  if (!account || (await unlockedUntil()) === null) return;
  const { satoshis } = await balance();
  const userId = account.id;
  const now = Date.now();
  if (last?.userId === userId && last.satoshis === satoshis && now - last.at < EVERY_MS) return;
  if (await isBalanceWanted()) {
    await putBalance(async (origin) => {
      const said = { satoshis: satoshis.toString(), time: new Date(Date.now()).toISOString() };
      return { ...said, signature: await signAsIdentity(balanceMessage({ origin, userId, ...said })) };
    });
  }
  last = { userId, satoshis, at: now };
}
