/** Creates the text of notifications about received money: amount or asset, claimed sender, and note. */
import { writeTokenDecimal } from '../../protocol/assets/bsv21/amount.ts';
import { isRightToLeft, overlayTexts, readTexts, type Catalog, type Texts } from '../../protocol/catalog.ts';
import { fromSatoshis, satoshisToBsv } from '../../protocol/money/money.ts';
import { PRODUCT_NAME } from '../../protocol/text/product.ts';
import { amountWithName } from '../../protocol/text/shown-text.ts';
import { tokenNameOf } from '../../protocol/assets/token-name.ts';
import type { Rate, Settings } from '../../protocol/messages/wallet-messages.ts';
import type { ReceivedAsset } from '../assets/came-in.ts';
import type { TextTypes } from '../../protocol/wallet-texts.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import collected from './notification-texts.json' with { type: 'json' };
import type { Wallet } from '../platform.ts';

/**
 * Strings for notifications about received money or assets and their senders. They show whether the asset and the
 * sender are verified.
 */
type NotificationTexts = Texts<(typeof collected)['en'], TextTypes, 'notification.'>;

const baseOf = (tag: string) => tag.split('-')[0] ?? '';

// Bundled by `npm run texts`, because a service worker can't load catalogs on demand.
const catalogs: Readonly<Partial<Record<string, Catalog>>> = collected;

function spokenIn(setting: Settings['language'], browserLanguages: readonly string[]): string {
  return setting === 'system'
    ? (browserLanguages.map(baseOf).find((base) => Object.hasOwn(catalogs, base)) ?? 'en')
    : setting;
}

/** Returns the strings in a language, with English as the fallback. */
function textsIn(language: string, locale: string): NotificationTexts {
  const read = (code: string) =>
    readTexts(catalogs[code] ?? {}, { language: code, locale: () => locale, product: PRODUCT_NAME });
  const texts = read('en');
  overlayTexts(texts, read(language));
  return texts as NotificationTexts;
}

/** Returns the title and message of the notification that summarizes additional payments. */
export function moreReceived(
  wallet: Wallet,
  setting: Settings['language'],
  browserLanguages: readonly string[] = wallet.languages(),
): { title: string; message: string } {
  const spoken = spokenIn(setting, browserLanguages);
  return textsIn(spoken, spoken).more;
}

/**
 * Returns the title and message for a receipt. `rate` is null if unknown. `setting` may be `system`: the browser's
 * language.
 */
export function notificationOf(
  wallet: Wallet,
  {
    satoshis,
    sender,
    note,
    cameIn = null,
  }: Pick<Receipt, 'satoshis' | 'sender' | 'note'> & { cameIn?: ReceivedAsset | null },
  rate: Rate | null,
  setting: Settings['language'],
  browserLanguages: readonly string[] = wallet.languages(),
): { title: string; message: string } {
  const spoken = spokenIn(setting, browserLanguages);
  const tag = browserLanguages.find((one) => baseOf(one) === spoken) ?? spoken;
  // Digits are always 0 to 9. Left-to-right text is isolated (Unicode Annex 9).
  const locale = isRightToLeft(spoken) ? `${tag}-u-nu-latn` : tag;
  const texts = textsIn(spoken, locale);
  const kept = (text: string) => (isRightToLeft(spoken) ? `\u2066${text}\u2069` : text);
  const paymail = sender && kept(plain(sender.paymail));
  const from = paymail && (sender.verified ? texts.from : texts.claimed)({ paymail });
  const told = (what: string, about: string | null) => ({
    title: texts.received({ amount: what }),
    message: [about, from, note && plain(note)].filter((line) => line).join('\n'),
  });
  if (cameIn && 'claim' in cameIn) return told(texts.token, texts.unchecked);
  if (cameIn?.asset.type === 'ordinal') return told(texts.ordinal, null);
  if (cameIn?.asset.type === 'token') {
    const { id, symbol, decimals, units } = cameIn.asset;
    const amount = new Intl.NumberFormat(locale, { maximumFractionDigits: 18 }).format(
      writeTokenDecimal(BigInt(units), decimals) as Intl.StringNumericLiteral,
    );
    const name = symbol === null ? `${id.slice(0, 8)}…` : tokenNameOf(symbol);
    return told(amountWithName(amount, name), cameIn.word === 'chain' ? null : texts.byIndex);
  }
  const worth = rate === null || rate.currency === 'BSV' ? null : fiat(satoshis, rate, locale);
  const whole = texts.satoshis({ count: satoshis });
  const coins = `${new Intl.NumberFormat(locale, { maximumFractionDigits: 8 }).format(satoshisToBsv(satoshis) as Intl.StringNumericLiteral)} BSV`;
  return told(kept(worth ?? coins), whole);
}

function fiat(satoshis: bigint, rate: Rate, locale: string): string | null {
  try {
    const usual =
      new Intl.NumberFormat(locale, { style: 'currency', currency: rate.currency }).resolvedOptions()
        .maximumFractionDigits ?? 2;
    // Small amounts keep two significant digits, as in the wallet's windows, so they are never displayed as zero.
    let digits = usual;
    while (digits < 10 && fromSatoshis(satoshis, rate.price, digits).replace('.', '').replace(/^0+/, '').length < 2)
      digits += 1;
    const format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency: rate.currency,
      minimumFractionDigits: usual,
      maximumFractionDigits: digits,
    });
    return format
      .format(fromSatoshis(satoshis, rate.price, digits) as Intl.StringNumericLiteral)
      .replaceAll('\u200f', '');
  } catch {
    return null; // invalid rate
  }
}

/** Converts third-party text to one line, without invisible or bidirectional control characters. */
function plain(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
