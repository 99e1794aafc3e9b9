/**
 * Finds tokens and ordinals at addresses that other wallets derive from the same recovery words. The index lists
 * candidates, and each is read from its own transaction. Stores only data about tokens, not coins.
 */
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { mentionsToken } from '../../protocol/assets/bsv21/token.ts';
import { TOKEN_SATOSHIS } from '../../protocol/assets/bsv21/validity.ts';
import type { AssetWord, HeldAsset } from '../../protocol/messages/wallet-messages.ts';
import { networkInfo } from '../chain/network.ts';
import { oneSatOutputsOf, ordinalsIndex, type OneSatOutput } from '../chain/ordinals-index.ts';
import { addressScriptOf } from '../coins/addresses/records.ts';
import { outpoint } from '../coins/coin.ts';
import type { OtherCoin, OtherPlace } from '../scan/history/other-wallets.ts';
import { Budget, Work } from '../scan/work.ts';
import { carriedBy, mintOf, type OrdinalCoin, type TokenCoin } from './held.ts';
import { verifyTokens } from './judge.ts';
import { shownSymbol } from './list.ts';
import type { Wallet } from '../platform.ts';

/** Maximum number of index requests per search. */
const MAX_INDEX_REQUESTS = 400;
const MAX_PARALLEL_REQUESTS = 4;
/** Maximum number of outputs read per search, each from its own transaction. */
const MAX_OUTPUTS = 50;

/** An asset that can be moved. `token` is null for an ordinal. `word` is the data's source. */
export interface OtherAsset extends OtherCoin {
  token: { id: string; amt: bigint } | null;
  word: AssetWord;
  asset: HeldAsset;
}

export interface OtherAssets {
  movable: OtherAsset[];
  listed: string[];
  /** False if the index didn't respond for all addresses. */
  isWhole: boolean;
}

type Listed = { place: OtherPlace; output: OneSatOutput };
type Found = OtherCoin & { origin: string | null };

/** Returns the block height reported by the index, for sorting. */
const ageOf = ({ output: { height } }: Listed) => (height > 0 ? height : Number.MAX_SAFE_INTEGER);

/** Lists the outputs at each address as the address becomes known, then reads the outputs. */
export class OtherAssetSearch {
  readonly #wallet: Wallet;
  readonly #listed = new Map<string, Listed>();
  readonly #lists = new Budget(MAX_INDEX_REQUESTS);
  readonly #work: Work;
  #isCut = false;
  #isWhole = true;

  constructor(wallet: Wallet) {
    this.#wallet = wallet;
    this.#work = new Work(wallet);
  }

  /** Lists the outputs at addresses. @returns true if there are any new ones */
  async look(places: readonly OtherPlace[]): Promise<boolean> {
    const index = await ordinalsIndex(this.#wallet);
    const before = this.#listed.size;
    for (let i = 0; i < places.length; i += MAX_PARALLEL_REQUESTS) {
      if (!this.#lists.left || this.#work.isOver) this.#isCut = true;
      if (this.#isCut) break;
      await Promise.all(places.slice(i, i + MAX_PARALLEL_REQUESTS).map((place) => this.#lookAt(place, index)));
    }
    return this.#listed.size > before;
  }

  async #lookAt(place: OtherPlace, index: string): Promise<void> {
    const error = await this.#work.passingOver(async () => {
      const outputs = await oneSatOutputsOf(this.#wallet, index, place.address, () => this.#lists.took(1));
      for (const output of outputs) this.#listed.set(outpoint(output.txid, output.vout), { place, output });
    });
    if (error) this.#isWhole = false;
  }

  /** Reads the outputs and verifies their tokens. */
  async read(): Promise<OtherAssets> {
    const found: Found[] = [];
    // Oldest first, so assets can't be hidden behind outputs sent later.
    const oldest = [...this.#listed.values()].toSorted((a, b) => ageOf(a) - ageOf(b));
    for (const listed of oldest.slice(0, MAX_OUTPUTS))
      await this.#work.passingOver(async () => {
        const one = await this.#readOutput(listed);
        if (one) found.push(one);
      });
    const carried = await Promise.all(found.map((coin) => carriedBy(this.#wallet, coin)));
    const tokens = carried.filter((one): one is TokenCoin<Found> => 'id' in one);
    await verifyTokens(
      this.#wallet,
      tokens,
      await networkInfo(this.#wallet),
      await ordinalsIndex(this.#wallet),
      this.#work,
    );
    const movable = await Promise.all(
      carried.map((one) => ('id' in one ? tokenOf(this.#wallet, one) : ordinalOf(one))),
    );
    return {
      movable: movable.filter((one) => one !== null),
      listed: [...this.#listed.keys()],
      isWhole: this.#isWhole && !this.#isCut && this.#work.faults.length === 0,
    };
  }

  async #readOutput({ place, output: { txid, vout, origin } }: Listed): Promise<Found | null> {
    const transaction = await this.#work.transaction(await networkInfo(this.#wallet), txid);
    const output = transaction?.outputs[vout];
    if (!transaction || output?.satoshis !== TOKEN_SATOSHIS) return null;
    if (addressScriptOf(output.lockingScript) !== place.script) return null;
    return {
      ...place,
      outpoint: outpoint(txid, vout),
      txid,
      vout,
      satoshis: TOKEN_SATOSHIS,
      script: toHex(output.lockingScript),
      depth: 1,
      spends: transaction.inputs.map((input) => outpoint(input.txid, input.vout)),
      origin,
    };
  }
}

/** Returns the token in a coin; null if it is forged or unverified. */
async function tokenOf(wallet: Wallet, { coin, id, amt }: TokenCoin<Found>): Promise<OtherAsset | null> {
  const { verdict } = (await carriedBy(wallet, coin)).record ?? {}; // as stored by the verification
  if (verdict?.state !== 'valid') return null;
  const mint = await mintOf(wallet, id);
  const symbol = shownSymbol(mint?.symbol ?? null);
  return {
    ...coin,
    token: { id, amt },
    word: verdict.word,
    asset: { type: 'token', id, symbol, decimals: mint?.decimals ?? 0, units: `${amt}` },
  };
}

/** Returns the ordinal in a coin; null if there is no known inscription, or the script can't be parsed reliably. */
function ordinalOf({ coin, inscription }: OrdinalCoin<Found>): OtherAsset | null {
  const own = `${coin.txid}_${coin.vout}`;
  const isOrdinal = inscription !== null || (coin.origin !== null && coin.origin !== own);
  if (!isOrdinal || mentionsToken(fromHex(coin.script))) return null;
  return {
    ...coin,
    token: null,
    word: inscription ? 'chain' : 'index',
    asset: { type: 'ordinal', outpoint: own, contentType: inscription?.contentType ?? '' },
  };
}
