/**
 * Publishes the wallet's signed balance to the service while an application may read it and the wallet is unlocked. An
 * unchanged balance is published at most once a minute. Tokens are signed separately, and published only while an
 * application may also read them.
 */
import {
  assetBalanceMessage,
  balanceMessage,
  type AssetBalance,
} from '../../protocol/signed-messages/balance-message.ts';
import { balance } from '../coins/coin-store.ts';
import { readKey } from '../store/database.ts';
import { readSettings } from '../settings.ts';
import { signAsIdentity } from '../vault/identity.ts';
import { unlockedUntil } from '../vault/session.ts';
import { balanceWanted, putBalance } from './client.ts';
import { part, type Wallet } from '../platform.ts';

/** Minimum time between queries to the service while the balance is unchanged (milliseconds). */
const EVERY_MS = 60_000;

const memoryOf = part(() => ({
  // The last balance processed, with its time. Lost when the worker stops.
  last: null as { userId: string; satoshis: bigint; tokens: string; at: number } | null,
  running: null as Promise<void> | null,
}));

/**
 * Publishes the current balance if an application may read it. Never throws: the next refresh retries.
 * @param heldTokens returns the wallet's tokens, in the order of publication
 */
export function publishBalance(wallet: Wallet, heldTokens: () => Promise<AssetBalance[]>): Promise<void> {
  const memory = memoryOf(wallet);
  memory.running ??= publish(wallet, heldTokens)
    .catch(() => undefined)
    .finally(() => {
      memory.running = null;
    });
  return memory.running;
}

async function publish(wallet: Wallet, heldTokens: () => Promise<AssetBalance[]>): Promise<void> {
  const memory = memoryOf(wallet);
  const { serviceUrl } = await readSettings(wallet);
  const account = await readKey(wallet, 'account');
  if (!account || (await unlockedUntil(wallet)) === null) return;
  const { satoshis } = await balance(wallet);
  const held = await heldTokens();
  const tokens = JSON.stringify(held);
  const userId = account.id;
  const now = wallet.now();
  const isSame = memory.last?.userId === userId && memory.last.satoshis === satoshis && memory.last.tokens === tokens;
  if (isSame && Math.abs(now - (memory.last?.at ?? 0)) < EVERY_MS) return;
  const { wanted, assets = false } = await balanceWanted(wallet, serviceUrl);
  if (wanted) {
    await putBalance(wallet, serviceUrl, async (origin) => {
      const said = { satoshis: satoshis.toString(), time: new Date(wallet.now()).toISOString() };
      const money = { ...said, signature: await signAsIdentity(wallet, balanceMessage({ origin, userId, ...said })) };
      if (!assets) return money;
      const message = assetBalanceMessage({ origin, userId, assets: held, time: said.time });
      return { ...money, assets: held, assetsSignature: await signAsIdentity(wallet, message) };
    });
  }
  memory.last = { userId, satoshis, tokens, at: now };
}
