/**
 * Publishes the wallet's signed balance to the service while the user allows some application to read it: never
 * otherwise, never while the wallet is locked, and no more than once a minute unless it changed. Tokens are published
 * only while some application may read them as well, under a separate signature.
 */
import { assetBalanceMessage, balanceMessage, type AssetBalance } from '../../../protocol/balance-message.ts';
import { balance } from '../coins/store.ts';
import { readKey } from '../database.ts';
import { signAsIdentity } from '../vault/identity.ts';
import { unlockedUntil } from '../vault/session.ts';
import { balanceWanted, putBalance } from './client.ts';

/** As long as nothing changes, the service isn't queried again within this time (milliseconds). */
const EVERY_MS = 60_000;

// The last query to the service, and its time. A restarted worker queries once again.
let last: { userId: string; satoshis: bigint; tokens: string; at: number } | null = null;
let running: Promise<void> | null = null;

/**
 * Publishes the current balance, if it is wanted. Never throws: the next refresh tries again.
 * @param heldTokens the wallet's tokens, in the order of publication
 */
export function publishBalance(heldTokens: () => Promise<AssetBalance[]>): Promise<void> {
  running ??= publish(heldTokens)
    .catch(() => undefined)
    .finally(() => {
      running = null;
    });
  return running;
}

async function publish(heldTokens: () => Promise<AssetBalance[]>): Promise<void> {
  const account = await readKey('account');
  if (!account || (await unlockedUntil()) === null) return;
  const { satoshis } = await balance();
  const held = await heldTokens();
  const tokens = JSON.stringify(held);
  const userId = account.id;
  const now = Date.now();
  const isSame = last?.userId === userId && last.satoshis === satoshis && last.tokens === tokens;
  if (isSame && Math.abs(now - (last?.at ?? 0)) < EVERY_MS) return;
  const { wanted, assets = false } = await balanceWanted();
  if (wanted) {
    await putBalance(async (origin) => {
      const said = { satoshis: satoshis.toString(), time: new Date(Date.now()).toISOString() };
      const money = { ...said, signature: await signAsIdentity(balanceMessage({ origin, userId, ...said })) };
      if (!assets) return money;
      const message = assetBalanceMessage({ origin, userId, assets: held, time: said.time });
      return { ...money, assets: held, assetsSignature: await signAsIdentity(message) };
    });
  }
  last = { userId, satoshis, tokens, at: now };
}
