import { CURRENCIES, type RateSource } from './rates.ts';

export interface Currency {
  code: string;
  name: string;
}

export interface Currencies {
  crypto: readonly Currency[];
  fiat: readonly Currency[];
}

const BSV: Currency = { code: 'BSV', name: 'Bitcoin SV' };
const CRYPTO_NAMES: Readonly<Record<string, string>> = {
  BCH: 'Bitcoin Cash',
  BNB: 'BNB',
  BTC: 'Bitcoin',
  DOGE: 'Dogecoin',
  DOT: 'Polkadot',
  EOS: 'EOS',
  ETH: 'Ether',
  LINK: 'Chainlink',
  LTC: 'Litecoin',
  SOL: 'Solana',
  XLM: 'Stellar',
  XRP: 'XRP',
  YFI: 'yearn.finance',
};
const names = new Intl.DisplayNames('en', { type: 'currency' });
const ISO_4217: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

function currenciesOf(codes: readonly string[]): Currencies {
  const sorted = codes.toSorted();
  return {
    crypto: [
      BSV,
      ...sorted.filter((code) => !ISO_4217.has(code)).map((code) => ({ code, name: CRYPTO_NAMES[code] ?? code })),
    ],
    fiat: sorted.filter((code) => ISO_4217.has(code)).map((code) => ({ code, name: names.of(code) ?? code })),
  };
}

/** Returns the currencies of the current or most recent rates. Before there are rates, returns {@link CURRENCIES}. */
export type CurrencySource = () => Promise<Currencies>;

/** Creates the service's only source so that all lists of currencies agree. */
export function createCurrencySource(rates: RateSource): CurrencySource {
  let last = currenciesOf(CURRENCIES);
  let of: object | null = null;
  return async () => {
    const table = await rates().then(
      ({ value }) => value,
      () => null,
    );
    if (table !== null && table !== of) [last, of] = [currenciesOf(Object.keys(table)), table];
    return last;
  };
}

/** Returns a currency's number of decimals (ISO 4217). Cryptocurrencies have as many as BSV. */
export function digitsOf(code: string): number {
  return ISO_4217.has(code)
    ? (new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits ?? 2)
    : 8;
}
