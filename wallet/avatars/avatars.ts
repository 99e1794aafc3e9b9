/**
 * Fetches and caches profile pictures of people who pay the user or whom the user pays. They are fetched through the
 * account's service, so the wallet never contacts a URL chosen by a third party. Pages can neither cause requests nor
 * detect what is cached.
 */
import { writePaymail } from '../../protocol/http/paymail.ts';
import { readSmallPicture } from '../../protocol/http/picture.ts';
import type { Account } from '../../protocol/messages/wallet-messages.ts';
import { database, readKey, keyIn, keyedTransaction } from '../store/database.ts';
import { paymailOf } from '../paymail/discovery.ts';
import { requestAvatar } from '../service/client.ts';
import { readSettings, settingsIn } from '../settings.ts';
import type { CachedAvatar } from './kept-avatar.ts';
import { part, type Wallet } from '../platform.ts';

/** Maximum number of cached pictures, of up to 270 kB each. */
const MAX_CACHED_AVATARS = 200;
/** Age at which a cached picture must be requested again (milliseconds). */
const FRESH_MS = 7 * 24 * 3_600_000;
/** The same age for a paymail without a picture (milliseconds). */
const NONE_FRESH_MS = 24 * 3_600_000;

/** Requests in progress, by service and paymail. */
const under = part(() => new Map<string, Promise<string | null>>());

/**
 * Returns a paymail's cached picture (`data:` URL), without a request. Null if no picture is cached or there is no
 * account.
 */
export async function cachedAvatar(wallet: Wallet, text: string): Promise<string | null> {
  return (await keptOf(wallet, text))?.kept?.picture ?? null;
}

/**
 * Returns the picture for a recipient's or sender's paymail. A stale picture is returned immediately, and refreshed for
 * the next call. Null if there is no account.
 */
export async function fetchAvatar(wallet: Wallet, text: string): Promise<string | null> {
  const found = await keptOf(wallet, text);
  if (!found) return null;
  const { account, paymail, service, kept } = found;
  if (kept && Math.abs(wallet.now() - kept.askedAt) < (kept.picture === null ? NONE_FRESH_MS : FRESH_MS))
    return kept.picture;
  const key = `${service} ${paymail}`;
  const asked = (
    under(wallet).get(key) ?? askAndKeep(wallet, account, paymail, service).finally(() => under(wallet).delete(key))
  ).catch(() => null);
  under(wallet).set(key, asked);
  return kept?.picture ?? asked;
}

async function keptOf(
  wallet: Wallet,
  text: string,
): Promise<{ account: Account; paymail: string; service: string; kept: CachedAvatar | null } | null> {
  const account = await readKey(wallet, 'account');
  if (!account) return null;
  const { serviceUrl: service } = await readSettings(wallet);
  const paymail = writePaymail(paymailOf(text));
  const kept = await (await database(wallet)).get('avatars', paymail);
  return { account, paymail, service, kept: kept?.service === service ? kept : null };
}

/** Requests and caches a picture. @throws ServiceError codes from the service */
async function askAndKeep(wallet: Wallet, account: Account, paymail: string, service: string): Promise<string | null> {
  const image = await requestAvatar(wallet, service, paymail);
  const picture = image === null ? null : dataUrl(image);
  const tx = await keyedTransaction(wallet, ['avatars'], 'read');
  const avatars = tx.objectStore('avatars');
  // In the meantime, the user may have switched services, or removed the wallet and created a new one.
  const [now, settings] = [await keyIn(tx, 'account'), await settingsIn(wallet, tx)];
  if (now?.id === account.id && settings.serviceUrl === service) {
    await avatars.put({ paymail, picture, service, askedAt: wallet.now() });
    let excess = (await avatars.count()) - MAX_CACHED_AVATARS;
    for (let cursor = await avatars.index('askedAt').openCursor(); cursor && excess > 0; excess -= 1) {
      await cursor.delete();
      cursor = await cursor.continue();
    }
  }
  await tx.done;
  return picture;
}

/** Returns a `data:` URL with the type detected from the bytes, because the service isn't trusted. */
function dataUrl(base64: string): string | null {
  try {
    const picture = readSmallPicture(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)));
    return picture && `data:${picture.type};base64,${base64}`;
  } catch {
    return null;
  }
}
