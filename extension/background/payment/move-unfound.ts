/**
 * Moves coins that a search by the recovery words would miss, because twenty addresses or more before theirs were never
 * used, to an address that it finds: a service named them, or a version before left a gap. The transaction is signed
 * before anything is stored, and stored in one database transaction.
 */
import { fromHex } from '../../../protocol/bytes.ts';
import { feeRate, networkInfo } from '../chain/network.ts';
import { unfoundAddresses } from '../coins/addresses.ts';
import { isKeptApart, type Coin } from '../coins/coin.ts';
import { countFound } from '../coins/store.ts';
import { isTakenSince } from '../coins/put-address.ts';
import { putCoin } from '../coins/put-coin.ts';
import { database, inTransaction } from '../database.ts';
import { announceChange } from '../events.ts';
import { findGap } from '../scan/gap.ts';
import { OWN } from '../sites/site.ts';
import { spendingFee } from '../transaction/fee.ts';
import { planTransaction } from '../transaction/plan.ts';
import type { Chain } from '../vault/keys.ts';
import { vaultStatus } from '../vault/vault.ts';
import { signPlan } from './build.ts';
import { changeAddresses } from './change-addresses.ts';
import { processPayment } from './process.ts';
import { newPayment, newReport } from './record.ts';
import { storeSigned } from './store-signed.ts';

/** Coins that are moved together. */
const MAX_MOVED_COINS = 100;
/** After a failure it is tried again no sooner (milliseconds). */
const PAUSE_MS = 60_000;

let running: Promise<void> | null = null;
let isAsked = false;
let failedAt = Number.NaN;

/**
 * Moves what there is, once the wallet is unlocked. Calls that come while it runs have it look again. Never throws: what
 * fails is tried again at a later call.
 */
export function moveUnfound(): Promise<void> {
  isAsked = true;
  running ??= (async () => {
    while (isAsked) {
      isAsked = false;
      const waited = Date.now() - failedAt;
      if (waited >= 0 && waited < PAUSE_MS) break;
      await move().catch(() => (failedAt = Date.now()));
    }
    running = null;
  })();
  return running;
}

async function move(): Promise<void> {
  await countFound();
  if ((await unfoundCoins()).length === 0 || (await vaultStatus()).locked) return;
  const rate = await feeRate();
  const isWorthIt = ({ satoshis }: Coin) => satoshis > spendingFee(rate);
  const info = await networkInfo();
  const chains = new Set<Chain>((await unfoundCoins()).filter(isWorthIt).map(({ chain }) => chain));
  // A restored wallet doesn't know of every address whether it was used.
  for (const chain of chains) await findGap(info, chain);
  await countFound();
  const inputs = (await unfoundCoins())
    .filter(isWorthIt)
    .sort((a, b) => Number(b.satoshis - a.satoshis))
    .slice(0, MAX_MOVED_COINS);
  if (inputs.length === 0) return;
  const { addresses: change } = await changeAddresses(1, null, []);
  const changeScripts = change.map(({ script }) => fromHex(script));
  const plan = planTransaction({ outputs: [], inputs, changeScripts, rate, preserveOrder: false });
  if (plan.changeIndexes.length === 0) return;
  const signed = await signPlan(plan);
  const record = newPayment({
    requestId: `move ${crypto.randomUUID()}`,
    origin: OWN,
    options: { outputs: [] },
    state: 'signed',
    approvedAt: Date.now(),
    quote: { outputs: [], amount: '0', currency: 'BSV', satoshis: 0n },
    report: newReport('none'),
    sweep: true,
  });
  const isStored = await inTransaction(async (tx) => {
    if (await isTakenSince(tx, change)) return false;
    const coins = await Promise.all(inputs.map(({ outpoint }) => tx.objectStore('coins').get(outpoint)));
    if (!coins.every((coin) => coin?.status === 'available')) return false;
    for (const coin of coins as Coin[]) await putCoin(tx, { ...coin, status: 'reserved', paymentId: record.id });
    const parts = await storeSigned(tx, record, { plan }, signed);
    await tx.objectStore('payments').add({ ...record, ...parts, unfinished: 1 });
    return true;
  });
  isAsked = true; // there may be more, or it was spent meanwhile
  if (!isStored) return;
  announceChange();
  void processPayment(record.id);
}

/** Coins at such addresses that can be spent now, without those that carry something. */
async function unfoundCoins(): Promise<Coin[]> {
  const addresses = await unfoundAddresses();
  const index = (await database()).transaction('coins').store.index('held');
  const coins = await Promise.all(addresses.map(({ script }) => index.getAll(['available', script], MAX_MOVED_COINS)));
  return coins.flat().filter((coin) => !isKeptApart(coin));
}
