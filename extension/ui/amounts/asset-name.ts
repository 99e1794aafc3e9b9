import type { SentAsset } from '../../../protocol/messages/wallet-messages.ts';
import { writeTokenDecimal } from '../../../protocol/assets/bsv21/amount.ts';
import { amountWithName } from '../../../protocol/text/shown-text.ts';
import { tokenNameOf } from '../../../protocol/assets/token-name.ts';
import { locale } from '../languages/language.ts';
import { assetTexts as t } from '../texts/texts.ts';

/** A token's amount, decimal text, as people write numbers here. Exact: Intl takes the text. */
export function formatUnits(amount: string): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 18 }).format(amount as `${number}`);
}

export function tokenName(symbol: string | null): string {
  return symbol === null ? t.nameless : tokenNameOf(symbol);
}

/** `5 GOLD`, or the kind of an ordinal, in this order in every language. */
export function assetName(asset: SentAsset): string {
  if (asset.type === 'ordinal') return t.ordinal;
  const amount = formatUnits(writeTokenDecimal(BigInt(asset.units), asset.decimals));
  return amountWithName(amount, tokenName(asset.symbol));
}

/** The same for a token by its parts: its amount in smallest units. */
export function tokenAmountText(
  { symbol, decimals }: Pick<Extract<SentAsset, { type: 'token' }>, 'symbol' | 'decimals'>,
  units: string,
): string {
  return assetName({ type: 'token', id: '', symbol, decimals, units });
}
