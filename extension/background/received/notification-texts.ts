/**
 * What the browser's notification of received money says, in the wallet's language: amount, who says to have sent it,
 * the note.
 */
import { fromSatoshis, satoshisToBsv } from '../../../protocol/money.ts';
import type { Rate, Settings } from '../../../protocol/wallet-messages.ts';
import type { Receipt } from '../coins/receipt.ts';

type Language = Exclude<Settings['language'], 'system'>;

interface Texts {
  received: (amount: string) => string;
  satoshis: (amount: string, one: boolean) => string;
  from: (paymail: string) => string;
  /** Of a sender for whom their own host does not vouch. */
  claimed: (paymail: string) => string;
  /** Of several that have none of their own. */
  more: { title: string; message: string };
}

/** English is complete; what another language lacks is in English, and `npm run check` lists it. */
export const TEXTS: Readonly<Partial<Record<Language, Partial<Texts>>> & { en: Texts }> = {
  en: {
    received: (a) => `Received ${a}`,
    satoshis: (a, one) => `${a} ${one ? 'satoshi' : 'satoshis'}`,
    from: (p) => `From ${p}`,
    claimed: (p) => `From ${p}, not confirmed`,
    more: { title: 'More money has arrived', message: 'Your wallet shows every payment.' },
  },
  de: {
    received: (a) => `${a} empfangen`,
    satoshis: (a, one) => `${a} ${one ? 'Satoshi' : 'Satoshis'}`,
    from: (p) => `Von ${p}`,
    claimed: (p) => `Von ${p}, nicht bestätigt`,
    more: { title: 'Es ist mehr Geld angekommen', message: 'Deine Wallet zeigt jede Zahlung.' },
  },
  es: {
    received: (a) => `Has recibido ${a}`,
    satoshis: (a, one) => `${a} ${one ? 'satoshi' : 'satoshis'}`,
    from: (p) => `De ${p}`,
    claimed: (p) => `De ${p}, sin confirmar`,
    more: { title: 'Ha llegado más dinero', message: 'Tu monedero muestra todos los pagos.' },
  },
  fr: {
    received: (a) => `Vous avez reçu ${a}`,
    satoshis: (a, one) => `${a} ${one ? 'satoshi' : 'satoshis'}`,
    from: (p) => `De ${p}`,
    claimed: (p) => `De ${p}, non confirmé`,
    more: { title: 'D’autres paiements sont arrivés', message: 'Votre portefeuille les montre tous.' },
  },
  pt: {
    received: (a) => `Recebeu ${a}`,
    satoshis: (a, one) => `${a} ${one ? 'satoshi' : 'satoshis'}`,
    from: (p) => `De ${p}`,
    claimed: (p) => `De ${p}, não confirmado`,
    more: { title: 'Chegou mais dinheiro', message: 'A sua carteira mostra todos os pagamentos.' },
  },
  ja: {
    received: (a) => `${a} を受け取りました`,
    satoshis: (a) => `${a} satoshi`,
    from: (p) => `送金者: ${p}`,
    claimed: (p) => `送金者: ${p}（未確認）`,
    more: { title: 'ほかにも入金がありました', message: 'すべての入金はウォレットで確認できます。' },
  },
  ar: {
    received: (a) => `تم استلام ${a}`,
    satoshis: (a) => `${a} ساتوشي`,
    from: (p) => `من ${p}`,
    claimed: (p) => `من ${p}، غير مؤكَّد`,
    more: { title: 'وصلت أموال أخرى', message: 'تعرض محفظتك كل الدفعات.' },
  },
};

const baseOf = (tag: string) => tag.split('-')[0] ?? '';

function spokenIn(setting: Settings['language'], browserLanguages: readonly string[]): Language {
  return (
    setting === 'system' ? (browserLanguages.map(baseOf).find((base) => Object.hasOwn(TEXTS, base)) ?? 'en') : setting
  ) as Language;
}

const textsIn = (language: Language): Texts => ({ ...TEXTS.en, ...TEXTS[language] });

/** Title and message where more came in than has notifications of its own. */
export function moreReceived(
  setting: Settings['language'],
  browserLanguages: readonly string[] = globalThis.navigator?.languages ?? [],
): { title: string; message: string } {
  return textsIn(spokenIn(setting, browserLanguages)).more;
}

/**
 * Title and message for a receipt; `rate` null where none is known. Languages as in the settings, `system` being the
 * browser's.
 */
export function notificationOf(
  { satoshis, sender, note }: Pick<Receipt, 'satoshis' | 'sender' | 'note'>,
  rate: Rate | null,
  setting: Settings['language'],
  browserLanguages: readonly string[] = globalThis.navigator?.languages ?? [],
): { title: string; message: string } {
  const spoken = spokenIn(setting, browserLanguages);
  const texts = textsIn(spoken);
  const tag = browserLanguages.find((one) => baseOf(one) === spoken) ?? spoken;
  // Digits are 0 to 9 everywhere, and what runs from left to right stays in its order (isolates of Unicode Annex 9).
  const locale = spoken === 'ar' ? `${tag}-u-nu-latn` : tag;
  const kept = (text: string) => (spoken === 'ar' ? `\u2066${text}\u2069` : text);
  const worth = rate === null || rate.currency === 'BSV' ? null : fiat(satoshis, rate, locale);
  const whole = texts.satoshis(kept(new Intl.NumberFormat(locale).format(satoshis)), satoshis === 1n);
  const coins = `${new Intl.NumberFormat(locale, { maximumFractionDigits: 8 }).format(satoshisToBsv(satoshis) as Intl.StringNumericLiteral)} BSV`;
  const from = sender ? (sender.verified ? texts.from : texts.claimed)(kept(plain(sender.paymail))) : null;
  return {
    title: texts.received(kept(worth ?? coins)),
    message: [whole, from, note && plain(note)].filter((line) => line).join('\n'),
  };
}

function fiat(satoshis: bigint, rate: Rate, locale: string): string | null {
  try {
    const usual =
      new Intl.NumberFormat(locale, { style: 'currency', currency: rate.currency }).resolvedOptions()
        .maximumFractionDigits ?? 2;
    // What is little keeps two digits, as in the wallet's windows: it never reads as nothing.
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
    return null; // a rate that is none
  }
}

/** Others' words on one line, without what hides or turns text. */
function plain(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
