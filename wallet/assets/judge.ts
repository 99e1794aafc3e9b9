/**
 * Verifies that coins hold the tokens that they claim to hold, using their transactions or, if that fails, the index.
 * Records which of the two was used.
 */
import { followBack } from '../../protocol/assets/bsv21/follow-back.ts';
import { readTokenId } from '../../protocol/assets/bsv21/token.ts';
import { networkInfo } from '../chain/network.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import { isCountedValid, ordinalsIndex, indexedToken } from '../chain/ordinals-index.ts';
import { mayCarryToken, outpoint } from '../coins/coin.ts';
import { readTransaction, database } from '../store/database.ts';
import { Work } from '../scan/work.ts';
import type { Mint, Verdict } from './asset-record.ts';
import { carriedBy, mintOf, type Carrier, type TokenCoin } from './held.ts';
import { mintAt } from './read-mint.ts';
import { noteAsset, noteIndexWord, readAsset } from './store.ts';
import { coinsMadeBy } from '../coins/records.ts';
import type { Wallet } from '../platform.ts';

/** Delay before coins that are unverified, or verified only by the index, are rechecked (milliseconds). */
const LOOK_AGAIN_MS = 3600_000;

/** Verifies newly received token coins, within the limits of one refresh. Never throws: the next refresh continues. */
export async function verifyArrived(wallet: Wallet, txids: Iterable<string>): Promise<void> {
  try {
    const tokens: TokenCoin[] = [];
    for (const txid of txids)
      for (const coin of await coinsMadeBy(readTransaction(await database(wallet)), txid)) {
        const carried = mayCarryToken(coin) ? await carriedBy(wallet, coin) : null;
        if (carried && 'id' in carried) tokens.push(carried);
      }
    if (tokens.length > 0)
      await verifyTokens(wallet, tokens, await networkInfo(wallet), await ordinalsIndex(wallet), new Work(wallet));
  } catch {
    // network failure, or the wallet was removed
  }
}

/** Verifies which token coins really hold their tokens, and reads their mints' metadata. */
export async function verifyTokens(
  wallet: Wallet,
  tokens: readonly TokenCoin<Carrier>[],
  info: NetworkInfo,
  index: string,
  work: Work,
): Promise<void> {
  for (const id of new Set(tokens.map((one) => one.id))) await readMint(wallet, id, info, index, work);
  for (const one of tokens) {
    if (isSettled(wallet, one.record?.verdict)) continue;
    await work.passingOver(() => judgeToken(wallet, one, info, index, work));
  }
}

const isSettled = (wallet: Wallet, verdict: Verdict | undefined) =>
  verdict !== undefined &&
  verdict.state !== 'unknown' &&
  (verdict.word === 'chain' || Math.abs(wallet.now() - verdict.at) < LOOK_AGAIN_MS);

async function judgeToken(
  wallet: Wallet,
  { coin, id }: TokenCoin<Carrier>,
  info: NetworkInfo,
  index: string,
  work: Work,
): Promise<void> {
  const { txid, vout, outpoint: own } = coin;
  const at = wallet.now();
  const verdicts = await followBack(txid, vout, {
    async transaction(wanted) {
      if (!work.transactions.left || work.isOver) return null;
      return work.transaction(info, wanted);
    },
    async known(key) {
      const verdict = (await readAsset(wallet, key))?.verdict;
      return verdict?.word === 'chain' && verdict.state !== 'unknown' ? verdict.state : undefined;
    },
  });
  for (const [key, state] of verdicts)
    if (state !== 'unknown') await noteAsset(wallet, { outpoint: key, verdict: { state, word: 'chain', at } });
  if ((verdicts.get(own) ?? 'unknown') !== 'unknown') return;
  const told = await isCountedValid(wallet, index, txid, vout, id);
  const state = told === null ? 'unknown' : told ? 'valid' : 'invalid';
  await noteIndexWord(wallet, index, { outpoint: own, verdict: { state, word: 'index', at } });
}

/** Reads the metadata of a token's mint from its output, or from the index if the output isn't available. */
async function readMint(wallet: Wallet, id: string, info: NetworkInfo, index: string, work: Work): Promise<void> {
  const place = readTokenId(id);
  const known = await mintOf(wallet, id);
  if (!place || known?.word === 'chain') return;
  await work.passingOver(async () => {
    if (!work.transactions.left) work.isCut = true;
    const transaction = work.transactions.left ? await work.transaction(info, place.txid) : null;
    const read = transaction && mintAt(transaction, place.txid, place.vout);
    const key = outpoint(place.txid, place.vout);
    if (read) return noteAsset(wallet, { outpoint: key, mint: read });
    const told = await toldMint(wallet, index, id);
    if (told) await noteIndexWord(wallet, index, { outpoint: key, mint: told });
  });
}

async function toldMint(wallet: Wallet, index: string, id: string): Promise<Mint | null> {
  const told = await indexedToken(wallet, index, id);
  return told && { ...told, word: 'index' };
}
