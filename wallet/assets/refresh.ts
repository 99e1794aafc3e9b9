/**
 * Searches the wallet's addresses for tokens and ordinals when the user views them. The index lists candidates. Each
 * output is then read from its own transaction and stored as a coin. One refresh makes a limited number of requests,
 * and the next one continues.
 */
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { TOKEN_SATOSHIS } from '../../protocol/assets/bsv21/validity.ts';
import { networkInfo } from '../chain/network.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import { oneSatOutputsOf, ordinalsIndex, type OneSatOutput } from '../chain/ordinals-index.ts';
import { coinsSpentWith, provenBlock } from '../chain/headers/spv.ts';
import { type Address, GAP_LIMIT } from '../coins/addresses/address.ts';
import { addressScriptOf } from '../coins/addresses/records.ts';
import { addressesBetween, extendAddresses, nextUnused } from '../coins/addresses/addresses.ts';
import { outpoint } from '../coins/coin.ts';
import { MAX_SPENT_OUTPOINTS } from '../coins/receipts/receipt.ts';
import { checkScriptQuota, readCoin } from '../coins/records.ts';
import { addFoundCoins, oneSatCoins, confirmTransaction, markSpentElsewhere } from '../coins/coin-store.ts';

import { announceChange } from '../events.ts';
import { newClaims } from '../scan/history/read.ts';
import { walletEffectOf } from '../scan/history/wallet-effect.ts';
import { Budget, Work } from '../scan/work.ts';
import { CHAINS, type Chain } from '../keys/keys.ts';
import { publicKeys } from '../vault/vault.ts';
import { heldAssets } from './held.ts';
import { verifyTokens } from './judge.ts';
import { noteAsset, noteIndexWord, readAsset } from './store.ts';
import { part, type Wallet } from '../platform.ts';

/** Maximum number of requests to the ordinals index per refresh. */
const MAX_INDEX_REQUESTS = 300;
const MAX_PARALLEL_REQUESTS = 4;

/** Delay before outputs that were too large are retried (milliseconds). By then, space may have been freed. */
const LARGE_AGAIN_MS = 24 * 3600_000;

const memoryOf = part(() => ({
  running: null as Promise<boolean> | null,
}));
const tooLarge = part(() => new Set<string>());
/**
 * The address index at which each chain's search continues, and the chains already searched completely, by ordinals
 * index. Lost when the worker stops.
 */
const reached = part(() => new Map<string, number>());
const looked = part(() => new Set<string>());

/**
 * Updates tokens and ordinals. Concurrent calls share one run.
 * @returns false if the search isn't complete yet
 * @throws ServiceError `network-unavailable`, `service-unavailable`, `invalid-proof`, `wallet-not-set-up`
 */
export function refreshAssets(wallet: Wallet): Promise<boolean> {
  const memory = memoryOf(wallet);
  memory.running ??= refresh(wallet).finally(() => {
    memory.running = null;
  });
  return memory.running;
}

/** Waits for the current refresh, even if it fails. */
export async function assetsAtRest(wallet: Wallet): Promise<void> {
  await memoryOf(wallet).running?.catch(() => undefined);
}

/** Returns the number of outputs skipped by the last refresh because of their size. */
export const countTooLarge = (wallet: Wallet): number => tooLarge(wallet).size;

async function refresh(wallet: Wallet): Promise<boolean> {
  tooLarge(wallet).clear();
  const info = await networkInfo(wallet);
  const index = await ordinalsIndex(wallet);
  const work = new Work(wallet);
  const lists = new Budget(MAX_INDEX_REQUESTS);
  for (const chain of CHAINS) await lookAlong(wallet, chain, info, index, work, lists);
  await confirmAssets(wallet, info, work);
  await verifyTokens(wallet, (await heldAssets(wallet)).tokens, info, index, work);
  announceChange(wallet);
  if (work.faults[0]) throw work.faults[0];
  const keys = await publicKeys(wallet);
  return !work.isCut && CHAINS.every((chain) => looked(wallet).has(nameOf(keys, info, index, chain)));
}

/** Searches a chain's latest addresses, then older ones, so assets are also found after a restore. */
async function lookAlong(
  wallet: Wallet,
  chain: Chain,
  info: NetworkInfo,
  index: string,
  work: Work,
  lists: Budget,
): Promise<void> {
  const keys = await publicKeys(wallet);
  const seen = new Set<number>();
  for (;;) {
    await extendAddresses(wallet, keys, info.network);
    const unused = await nextUnused(wallet, chain);
    const recent = await addressesBetween(wallet, chain, Math.max(0, unused - GAP_LIMIT), unused + GAP_LIMIT - 1);
    const fresh = recent.filter((one) => !seen.has(one.index));
    if (fresh.length === 0) break;
    for (const one of fresh) seen.add(one.index);
    // Finding outputs marks addresses as used, which extends the chain.
    await lookAt(wallet, fresh, info, index, work, lists);
    if (!lists.left || work.isOver) return;
  }
  const name = nameOf(keys, info, index, chain);
  const older = Math.max(0, (await nextUnused(wallet, chain)) - GAP_LIMIT);
  for (let from = reached(wallet).get(name) ?? 0; from < older; from += GAP_LIMIT) {
    const some = await addressesBetween(wallet, chain, from, Math.min(from + GAP_LIMIT, older) - 1);
    await lookAt(
      wallet,
      some.filter((one) => !seen.has(one.index)),
      info,
      index,
      work,
      lists,
    );
    if (!lists.left || work.isOver) return void reached(wallet).set(name, from);
  }
  reached(wallet).set(name, 0);
  looked(wallet).add(name);
}

const nameOf = ({ identity }: { identity: string }, { network }: NetworkInfo, index: string, chain: Chain) =>
  `${network} ${identity} ${index} ${chain}`;

async function lookAt(
  wallet: Wallet,
  addresses: readonly Address[],
  info: NetworkInfo,
  index: string,
  work: Work,
  lists: Budget,
): Promise<void> {
  for (let i = 0; i < addresses.length; i += MAX_PARALLEL_REQUESTS) {
    if (!lists.left || work.isOver) return;
    const listed = await Promise.all(
      addresses.slice(i, i + MAX_PARALLEL_REQUESTS).map(async (address) => {
        let outputs: OneSatOutput[] | null = null;
        const count = () => lists.took(1);
        await work.passingOver(async () => {
          outputs = await oneSatOutputsOf(wallet, index, address.address, count);
        });
        return { address, outputs: outputs as OneSatOutput[] | null };
      }),
    );
    for (const { address, outputs } of listed) {
      if (outputs === null) continue;
      for (const one of outputs)
        await work.passingOver(() => takeInUnlessLarge(wallet, one, address, info, index, work));
      await noteGone(wallet, address, outputs, info, work);
    }
  }
}

/** Stores an output, or records that it is too large, so it isn't read again that day. */
async function takeInUnlessLarge(
  wallet: Wallet,
  one: OneSatOutput,
  address: Address,
  info: NetworkInfo,
  index: string,
  work: Work,
): Promise<void> {
  try {
    await storeOneSatOutput(wallet, one, address, info, index, work);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'too-large') throw error;
    const key = outpoint(one.txid, one.vout);
    tooLarge(wallet).add(key);
    await noteAsset(wallet, { outpoint: key, tooLargeAt: wallet.now() });
  }
}

/**
 * Reads an output from its own transaction and stores it, unless that changes nothing or the output isn't the wallet's.
 */
async function storeOneSatOutput(
  wallet: Wallet,
  { txid, vout, height, origin }: OneSatOutput,
  address: Address,
  info: NetworkInfo,
  index: string,
  work: Work,
): Promise<void> {
  const key = outpoint(txid, vout);
  // A known coin may have been marked as spent or gone because of a transaction that the network then dropped.
  if ((await newClaims(wallet, [{ txid, vout }])).length > 0) {
    const { tooLargeAt = 0 } = (await readAsset(wallet, key)) ?? {};
    if (Math.abs(wallet.now() - tooLargeAt) < LARGE_AGAIN_MS) return void tooLarge(wallet).add(key);
    if (!work.transactions.left) return void (work.isCut = true);
    const transaction = await work.transaction(info, txid);
    const output = transaction?.outputs[vout];
    const isOurs =
      output !== undefined &&
      output.satoshis === TOKEN_SATOSHIS &&
      addressScriptOf(output.lockingScript) === address.script;
    if (!transaction || !isOurs) return;
    if (!(await readCoin(wallet, key))) await checkScriptQuota(wallet, txid, [output.lockingScript.length]);
    const script = toHex(output.lockingScript);
    const spends = transaction.inputs.slice(0, MAX_SPENT_OUTPOINTS).map((input) => outpoint(input.txid, input.vout));
    const mayPay = (await walletEffectOf(wallet, transaction)).inputs.length > 0;
    const { chain, index: keyIndex } = address;
    const coin = { txid, vout, satoshis: TOKEN_SATOSHIS, script, chain, index: keyIndex, address: address.address };
    await addFoundCoins(wallet, [coin], spends, mayPay, Math.max(0, height));
    announceChange(wallet);
  }
  if (origin !== null && origin !== (await readAsset(wallet, key))?.origin)
    await noteIndexWord(wallet, index, { outpoint: key, origin });
}

/** If inscribed coins disappeared from the index and another wallet provably spent them, marks them as spent. */
async function noteGone(
  wallet: Wallet,
  { script, chain, index }: Address,
  outputs: readonly OneSatOutput[],
  info: NetworkInfo,
  work: Work,
): Promise<void> {
  const there = new Set(outputs.map(({ txid, vout }) => outpoint(txid, vout)));
  for (const coin of await oneSatCoins(wallet)) {
    const isHere = coin.chain === chain && coin.index === index && coin.script !== script;
    if (!isHere || !coin.seen || coin.status !== 'available' || there.has(coin.outpoint)) continue;
    if (!work.checks.left) return;
    work.checks.took(2);
    await work.passingOver(async () => {
      const spent = await coinsSpentWith(wallet, info, coin, []);
      await markSpentElsewhere(
        wallet,
        spent.map((one) => one.outpoint),
      );
    });
  }
}

async function confirmAssets(wallet: Wallet, info: NetworkInfo, work: Work): Promise<void> {
  const waiting = new Set(
    (await oneSatCoins(wallet)).flatMap(({ txid, height, seen }) => (height === null && seen ? txid : [])),
  );
  for (const txid of waiting) {
    if (!work.checks.left || work.isOver) return;
    work.checks.took(1);
    await work.passingOver(async () => {
      const block = await provenBlock(wallet, info, txid);
      if (block) await confirmTransaction(wallet, txid, block);
    });
  }
}
