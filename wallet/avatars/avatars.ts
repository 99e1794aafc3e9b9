/**
 * Pictures of the people whom the user pays or is paid by. The user's own service fetches them, so the wallet never
 * contacts an address that a stranger chose. Pages can neither cause requests nor learn what is cached.
 */
import { writePaymail } from '../../protocol/http/paymail.ts';
import { readSmallPicture } from '../../protocol/http/picture.ts';
import type { Account } from '../../protocol/messages/wallet-messages.ts';
import { database, readKey, keyIn, keyedTransaction } from '../store/database.ts';
import { paymailOf } from '../paymail/discovery.ts';
import { askAvatar } from '../service/client.ts';
import { readSettings } from '../settings.ts';
import type { KeptAvatar } from './kept-avatar.ts';
import { part, type Wallet } from '../platform.ts';

/** Maximum number of cached pictures, each of 270 kB at most. */
const MOST = 200;
/** How long a picture, and a missing one, isn't requested again (milliseconds). */
const FRESH_MS = 7 * 24 * 3_600_000;
const NONE_FRESH_MS = 24 * 3_600_000;

const under = part(() => new Map<string, Promise<string | null>>());

/** The cached picture of a paymail, as a `data:` URL. Makes no request. Also null without an account. */
export async function keptAvatar(wallet: Wallet, text: string): Promise<string | null> {
  return (await keptOf(wallet, text))?.kept?.picture ?? null;
}

/**
 * The picture of someone whom the user paid, was paid by, or types as a recipient. A stale one is requested again, and
 * shown if the service doesn't respond. Null without an account.
 */
export async function fetchAvatar(wallet: Wallet, text: string): Promise<string | null> {
  const found = await keptOf(wallet, text);
  if (!found) return null;
  const { account, paymail, service, kept } = found;
  if (kept && Math.abs(wallet.now() - kept.askedAt) < (kept.picture === null ? NONE_FRESH_MS : FRESH_MS))
    return kept.picture;
  const asked = (
    under(wallet).get(paymail) ??
    askAndKeep(wallet, account, paymail, service).finally(() => under(wallet).delete(paymail))
  ).catch(() => null);
  under(wallet).set(paymail, asked);
  return kept?.picture ?? asked;
}

async function keptOf(
  wallet: Wallet,
  text: string,
): Promise<{ account: Account; paymail: string; service: string; kept: KeptAvatar | null } | null> {
  const account = await readKey(wallet, 'account');
  if (!account) return null;
  const { serviceUrl: service } = await readSettings(wallet);
  const paymail = writePaymail(paymailOf(text));
  const kept = await (await database(wallet)).get('avatars', paymail);
  return { account, paymail, service, kept: kept?.service === service ? kept : null };
}

/** @throws ServiceError of the service */
async function askAndKeep(wallet: Wallet, account: Account, paymail: string, service: string): Promise<string | null> {
  const image = await askAvatar(wallet, service, paymail);
  const picture = image === null ? null : dataUrl(image);
  const tx = await keyedTransaction(wallet, ['avatars'], 'read');
  const avatars = tx.objectStore('avatars');
  // The wallet may have been removed in between, and another one made.
  const now = await keyIn(tx, 'account');
  if (now?.id === account.id) {
    await avatars.put({ paymail, picture, service, askedAt: wallet.now() });
    let excess = (await avatars.count()) - MOST;
    for (let cursor = await avatars.index('askedAt').openCursor(); cursor && excess > 0; excess -= 1) {
      await cursor.delete();
      cursor = await cursor.continue();
    }
  }
  await tx.done;
  return picture;
}

/** A `data:` URL, with the type detected from the bytes, because services may lie. */
function dataUrl(base64: string): string | null {
  try {
    const picture = readSmallPicture(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)));
    return picture && `data:${picture.type};base64,${base64}`;
  } catch {
    return null;
  }
}
