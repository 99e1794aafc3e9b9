/** The text of the notification of received money: amount or asset, claimed sender, and note. */
import { writeTokenDecimal } from '../../../protocol/bsv21/amount.ts';
import { fromSatoshis, satoshisToBsv } from '../../../protocol/money.ts';
import { amountWithName } from '../../../protocol/shown-text.ts';
import { tokenNameOf } from '../../../protocol/token-name.ts';
import type { Rate, Settings } from '../../../protocol/wallet-messages.ts';
import type { CameIn } from '../assets/came-in.ts';
import type { Receipt } from '../coins/receipt.ts';

type Language = Exclude<Settings['language'], 'system'>;

interface Texts {
  received: (amount: string) => string;
  satoshis: (amount: string, one: boolean) => string;
  from: (paymail: string) => string;
  /** A sender whose own host doesn't vouch for them. */
  claimed: (paymail: string) => string;
  /** Received assets that aren't money, shown instead of an amount. */
  token: string;
  ordinal: string;
  /** A token that is unchecked: only the index reports it. */
  unchecked: string;
  byIndex: string;
  /** Several without separate notifications. */
  more: { title: string; message: string };
}

/** English is complete. Other languages fall back to English, and `npm run check` lists their missing texts. */
export const TEXTS: Readonly<Partial<Record<Language, Partial<Texts>>> & { en: Texts }> = {
  en: {
    received: (a) => `Received ${a}`,
    satoshis: (a, one) => `${a} ${one ? 'satoshi' : 'satoshis'}`,
    from: (p) => `From ${p}`,
    claimed: (p) => `From ${p}, not confirmed`,
    token: 'a token',
    ordinal: 'an ordinal',
    unchecked: 'Not checked yet: open your assets',
    byIndex: 'According to the index alone',
    more: { title: 'More payments have arrived', message: 'Your wallet shows them all.' },
  },
  de: {
    received: (a) => `${a} empfangen`,
    satoshis: (a, one) => `${a} ${one ? 'Satoshi' : 'Satoshis'}`,
    from: (p) => `Von ${p}`,
    claimed: (p) => `Von ${p}, nicht bestätigt`,
    token: 'Token',
    ordinal: 'Ordinal',
    unchecked: 'Noch nicht geprüft: öffne deine Assets',
    byIndex: 'Nur laut Index',
    more: { title: 'Weitere Zahlungen sind angekommen', message: 'Deine Wallet zeigt sie alle.' },
  },
  es: {
    received: (a) => `Has recibido ${a}`,
    satoshis: (a, one) => `${a} ${one ? 'satoshi' : 'satoshis'}`,
    from: (p) => `De ${p}`,
    claimed: (p) => `De ${p}, sin confirmar`,
    token: 'un token',
    ordinal: 'un ordinal',
    unchecked: 'Sin comprobar todavía: abre tus activos',
    byIndex: 'Solo según el índice',
    more: { title: 'Han llegado más pagos', message: 'Tu monedero los muestra todos.' },
  },
  fr: {
    received: (a) => `Vous avez reçu ${a}`,
    satoshis: (a, one) => `${a} ${one ? 'satoshi' : 'satoshis'}`,
    from: (p) => `De ${p}`,
    claimed: (p) => `De ${p}, non confirmé`,
    token: 'un jeton',
    ordinal: 'un ordinal',
    unchecked: 'Pas encore vérifié : ouvrez vos actifs',
    byIndex: 'Selon l’index uniquement',
    more: { title: 'D’autres paiements sont arrivés', message: 'Votre portefeuille les montre tous.' },
  },
  pt: {
    received: (a) => `Recebeu ${a}`,
    satoshis: (a, one) => `${a} ${one ? 'satoshi' : 'satoshis'}`,
    from: (p) => `De ${p}`,
    claimed: (p) => `De ${p}, não confirmado`,
    token: 'um token',
    ordinal: 'um ordinal',
    unchecked: 'Ainda não verificado: abra os seus ativos',
    byIndex: 'Apenas segundo o índice',
    more: { title: 'Chegaram mais pagamentos', message: 'A sua carteira mostra-os todos.' },
  },
  ja: {
    received: (a) => `${a} を受け取りました`,
    satoshis: (a) => `${a} satoshi`,
    from: (p) => `送金者: ${p}`,
    claimed: (p) => `送金者: ${p}（未確認）`,
    token: 'トークン',
    ordinal: 'Ordinal',
    unchecked: '未確認です。アセットを開いてください',
    byIndex: 'インデックスの情報のみ',
    more: { title: 'ほかにも入金がありました', message: 'すべての入金はウォレットで確認できます。' },
  },
  ar: {
    received: (a) => `تم استلام ${a}`,
    satoshis: (a) => `${a} ساتوشي`,
    from: (p) => `من ${p}`,
    claimed: (p) => `من ${p}، غير مؤكَّد`,
    token: 'رمز رقمي',
    ordinal: 'Ordinal',
    unchecked: 'لم يُفحص بعد: افتح أصولك',
    byIndex: 'بحسب الفهرس وحده',
    more: { title: 'وصلت دفعات أخرى', message: 'تعرضها محفظتك كلها.' },
  },
};

const baseOf = (tag: string) => tag.split('-')[0] ?? '';

function spokenIn(setting: Settings['language'], browserLanguages: readonly string[]): Language {
  return (
    setting === 'system' ? (browserLanguages.map(baseOf).find((base) => Object.hasOwn(TEXTS, base)) ?? 'en') : setting
  ) as Language;
}

const textsIn = (language: Language): Texts => ({ ...TEXTS.en, ...TEXTS[language] });

/** Title and message if more arrived than have separate notifications. */
export function moreReceived(
  setting: Settings['language'],
  browserLanguages: readonly string[] = globalThis.navigator?.languages ?? [],
): { title: string; message: string } {
  return textsIn(spokenIn(setting, browserLanguages)).more;
}

/**
 * Title and message for a receipt; `rate` is null if unknown. Languages as in the settings (`system`: the browser's).
 */
export function notificationOf(
  { satoshis, sender, note, cameIn = null }: Pick<Receipt, 'satoshis' | 'sender' | 'note'> & { cameIn?: CameIn | null },
  rate: Rate | null,
  setting: Settings['language'],
  browserLanguages: readonly string[] = globalThis.navigator?.languages ?? [],
): { title: string; message: string } {
  const spoken = spokenIn(setting, browserLanguages);
  const texts = textsIn(spoken);
  const tag = browserLanguages.find((one) => baseOf(one) === spoken) ?? spoken;
  // Digits are always 0 to 9, and left-to-right text keeps its order (isolates of Unicode Annex 9).
  const locale = spoken === 'ar' ? `${tag}-u-nu-latn` : tag;
  const kept = (text: string) => (spoken === 'ar' ? `\u2066${text}\u2069` : text);
  const from = sender ? (sender.verified ? texts.from : texts.claimed)(kept(plain(sender.paymail))) : null;
  const told = (what: string, about: string | null) => ({
    title: texts.received(what),
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
  const whole = texts.satoshis(kept(new Intl.NumberFormat(locale).format(satoshis)), satoshis === 1n);
  const coins = `${new Intl.NumberFormat(locale, { maximumFractionDigits: 8 }).format(satoshisToBsv(satoshis) as Intl.StringNumericLiteral)} BSV`;
  return told(kept(worth ?? coins), whole);
}

function fiat(satoshis: bigint, rate: Rate, locale: string): string | null {
  try {
    const usual =
      new Intl.NumberFormat(locale, { style: 'currency', currency: rate.currency }).resolvedOptions()
        .maximumFractionDigits ?? 2;
    // Small amounts keep two significant digits, as in the wallet's windows, so they never read as zero.
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

/** Others' text on one line, without hidden characters or those that change direction. */
function plain(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
