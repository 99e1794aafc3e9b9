import type { SentAsset } from '../../../protocol/messages/wallet-messages.ts';
import { writeTokenDecimal } from '../../../protocol/assets/bsv21/amount.ts';
import { amountWithName } from '../../../protocol/text/shown-text.ts';
import { tokenNameOf } from '../../../protocol/assets/token-name.ts';
import { locale } from '../languages/language.ts';
import { assetTexts as t } from '../texts/texts.ts';

/** Formats a token amount, a decimal string, for the user's locale. Exact, because Intl receives the string. */
export function formatUnits(amount: string): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 18 }).format(amount as `${number}`);
}

export function tokenName(symbol: string | null): string {
  return symbol === null ? t.nameless : tokenNameOf(symbol);
}

/** Formats an asset as `5 GOLD`, in this order in every language, or as the word for an ordinal. */
export function assetName(asset: SentAsset): string {
  if (asset.type === 'ordinal') return t.ordinal;
  const amount = formatUnits(writeTokenDecimal(BigInt(asset.units), asset.decimals));
  return amountWithName(amount, tokenName(asset.symbol));
}

/** Formats a token amount in smallest units: `5 GOLD`. */
export function tokenAmountText(
  { symbol, decimals }: Pick<Extract<SentAsset, { type: 'token' }>, 'symbol' | 'decimals'>,
  units: string,
): string {
  return assetName({ type: 'token', id: '', symbol, decimals, units });
}
