/** Verifies that coins hold the token that they name: by their transactions, else by the index, marked as such. */
import { followBack } from '../../../protocol/bsv21/follow-back.ts';
import { readTokenId } from '../../../protocol/bsv21/token.ts';
import { networkInfo } from '../chain/network.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import { isCountedValid, ordinalsIndex, toldToken } from '../chain/ordinals-index.ts';
import { isKeptApart, outpoint } from '../coins/coin.ts';
import { readTransaction, database } from '../database.ts';
import { Work } from '../scan/work.ts';
import type { Mint, Verdict } from './asset-record.ts';
import { carriedBy, mintOf, type Carrier, type TokenCoin } from './held.ts';
import { mintAt } from './read-mint.ts';
import { noteAsset, readAsset } from './store.ts';
import { coinsMadeBy } from '../coins/records.ts';

/** When tokens that are unjudged, or judged only by the index, are checked again (milliseconds). */
const LOOK_AGAIN_MS = 3600_000;

/** The same for arrived coins, within one refresh's budget. Never throws: the rest waits for the next refresh. */
export async function judgeArrived(txids: Iterable<string>): Promise<void> {
  try {
    const tokens: TokenCoin[] = [];
    for (const txid of txids)
      for (const coin of await coinsMadeBy(readTransaction(await database()), txid)) {
        const carried = isKeptApart(coin) ? await carriedBy(coin) : null;
        if (carried && 'id' in carried) tokens.push(carried);
      }
    if (tokens.length > 0) await judgeTokens(tokens, await networkInfo(), await ordinalsIndex(), new Work());
  } catch {
    // the network, or a wallet that was removed in between
  }
}

/** Determines which token coins really hold their tokens, and the terms of their mints. */
export async function judgeTokens(
  tokens: readonly TokenCoin<Carrier>[],
  info: NetworkInfo,
  index: string,
  work: Work,
): Promise<void> {
  for (const id of new Set(tokens.map((one) => one.id))) await readMint(id, info, index, work);
  for (const one of tokens) {
    if (isSettled(one.record?.verdict)) continue;
    await work.passingOver(() => judgeToken(one, info, index, work));
  }
}

const isSettled = (verdict: Verdict | undefined) =>
  verdict !== undefined &&
  verdict.state !== 'unknown' &&
  (verdict.word === 'chain' || Math.abs(Date.now() - verdict.at) < LOOK_AGAIN_MS);

async function judgeToken(
  { coin, id }: TokenCoin<Carrier>,
  info: NetworkInfo,
  index: string,
  work: Work,
): Promise<void> {
  const { txid, vout, outpoint: own } = coin;
  const at = Date.now();
  const verdicts = await followBack(txid, vout, {
    async transaction(wanted) {
      if (!work.transactions.left || work.isOver) return null;
      return work.transaction(info, wanted);
    },
    async known(key) {
      const verdict = (await readAsset(key))?.verdict;
      return verdict?.word === 'chain' && verdict.state !== 'unknown' ? verdict.state : undefined;
    },
  });
  for (const [key, state] of verdicts)
    if (state !== 'unknown') await noteAsset({ outpoint: key, verdict: { state, word: 'chain', at } });
  if ((verdicts.get(own) ?? 'unknown') !== 'unknown') return;
  const told = await isCountedValid(index, txid, vout, id);
  const state = told === null ? 'unknown' : told ? 'valid' : 'invalid';
  await noteAsset({ outpoint: own, verdict: { state, word: 'index', at } });
}

/** Reads the terms of a token's mint from the mint itself, or from the index if that can't be read. */
async function readMint(id: string, info: NetworkInfo, index: string, work: Work): Promise<void> {
  const place = readTokenId(id);
  const known = await mintOf(id);
  if (!place || known?.word === 'chain') return;
  await work.passingOver(async () => {
    if (!work.transactions.left) work.isCut = true;
    const transaction = work.transactions.left ? await work.transaction(info, place.txid) : null;
    const read = transaction && mintAt(transaction, place.txid, place.vout);
    const mint = read ?? (await toldMint(index, id));
    if (mint) await noteAsset({ outpoint: outpoint(place.txid, place.vout), mint });
  });
}

async function toldMint(index: string, id: string): Promise<Mint | null> {
  const told = await toldToken(index, id);
  return told && { ...told, word: 'index' };
}
