/** Tokens and ordinals for display. */
import { mentionsToken } from '../../protocol/assets/bsv21/token.ts';
import { writeTokenDecimal } from '../../protocol/assets/bsv21/amount.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import type { AssetsView, OrdinalView, TokenView } from '../../protocol/messages/wallet-messages.ts';
import { asShownText } from '../../protocol/text/shown-text.ts';
import { ordinalsIndex } from '../chain/ordinals-index.ts';
import { readSettings } from '../settings.ts';
import { heldAssets, mintOf, type OrdinalCoin, type TokenCoin } from './held.ts';
import { countTooLarge } from './refresh.ts';
import type { Wallet } from '../platform.ts';

const MAX_SYMBOL_CHARS = 32;

/** Returns the wallet's known assets, for display. */
export async function viewAssets(wallet: Wallet): Promise<AssetsView> {
  const { tokens, ordinals } = await heldAssets(wallet);
  const states = tokens.map(({ record }) => record?.verdict?.state ?? 'unknown');
  return {
    tokens: await tokenViews(
      wallet,
      tokens.filter((_, i) => states[i] === 'valid'),
    ),
    ordinals: ordinals.filter(isOrdinal).map(ordinalView),
    invalid: states.filter((state) => state === 'invalid').length,
    unchecked: states.filter((state) => state === 'unknown').length,
    tooLarge: countTooLarge(wallet),
    index: { url: await ordinalsIndex(wallet), isChosen: (await readSettings(wallet)).ordinalsUrl !== null },
  };
}

/** Converts a third party's symbol to a displayable form; null if nothing visible remains. */
export function shownSymbol(symbol: string | null): string | null {
  if (symbol === null) return null;
  return [...asShownText(symbol).replaceAll('\n', ' ').trim()].slice(0, MAX_SYMBOL_CHARS).join('') || null;
}

async function tokenViews(wallet: Wallet, coins: readonly TokenCoin[]): Promise<TokenView[]> {
  const views = await Promise.all(
    [...new Set(coins.map(({ id }) => id))].map(async (id): Promise<TokenView> => {
      const own = coins.filter((one) => one.id === id);
      const mint = await mintOf(wallet, id);
      const decimals = mint?.decimals ?? 0;
      const sum = (some: readonly TokenCoin[]) => some.reduce((total, { amt }) => total + amt, 0n);
      return {
        id,
        symbol: shownSymbol(mint?.symbol ?? null),
        decimals,
        amount: writeTokenDecimal(sum(own), decimals),
        spendable: writeTokenDecimal(sum(own.filter(({ coin }) => coin.status === 'available')), decimals),
        supply: mint?.supply ? writeTokenDecimal(mint.supply, decimals) : null,
        word:
          mint?.word === 'chain' && own.every(({ record }) => record?.verdict?.word === 'chain') ? 'chain' : 'index',
        isUnconfirmed: own.some(({ coin }) => coin.height === null),
        icon: mint?.icon ?? null,
      };
    }),
  );
  return views.sort((a, b) => (a.symbol ?? a.id).localeCompare(b.symbol ?? b.id) || (a.id < b.id ? -1 : 1));
}

/** True if the satoshi is inscribed, now or in its known history. Other satoshis aren't displayed. */
export function isOrdinal({ coin, inscription, record }: OrdinalCoin): boolean {
  return inscription !== null || (record?.origin !== undefined && record.origin !== `${coin.txid}_${coin.vout}`);
}

function ordinalView({ coin, inscription, record }: OrdinalCoin): OrdinalView {
  return {
    outpoint: `${coin.txid}_${coin.vout}`,
    origin: record?.origin ?? null,
    contentType: inscription?.contentType ?? '',
    canSend: coin.status === 'available' && !mentionsToken(fromHex(coin.script)),
    isUnconfirmed: coin.height === null,
  };
}
