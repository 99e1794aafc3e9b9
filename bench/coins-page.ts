/** The code that bench/coins.ts runs in a page: the wallet's own database and coin selection. */
import { chooseCoins, availableCoins } from '../wallet/coins/choose.ts';
import { ranked, type Coin, counted, NOTHING } from '../wallet/coins/coin.ts';
import { database } from '../wallet/store/database.ts';
import { wallet } from '../testkit/wallet/current.ts';

const RATE = { satoshis: 100, bytes: 1000 };
const SCRIPT = new Uint8Array(25);
const hex = (n: number) => n.toString(16).padStart(64, '0');

/** Stores this many coins of 1,000 to 100,000 satoshis, a tenth of them unconfirmed. */
export async function fill(count: number): Promise<void> {
  const tx = (await database(wallet)).transaction(['coins', 'totals'], 'readwrite');
  let holdings = NOTHING;
  for (let i = 0; i < count; i += 1) {
    const height = i % 10 === 0 ? null : 1;
    const coin: Coin = {
      outpoint: `${hex(i)}:0`,
      txid: hex(i),
      vout: 0,
      satoshis: 1000n + BigInt((i * 7919) % 99_001),
      script: `76a914${hex(i % 500).slice(24)}88ac`,
      chain: 'receive',
      index: i % 500,
      status: 'available',
      paymentId: null,
      height,
      depth: height === null ? 1 : 0,
      seen: true,
    };
    holdings = counted(holdings, undefined, coin);
    void tx.objectStore('coins').put(ranked(coin));
  }
  void tx.objectStore('totals').put(holdings, 'coins');
  await tx.done;
}

/** Selects coins for a payment. Returns the time in milliseconds and the number of coins. */
export async function choose(satoshis: number): Promise<{ ms: number; inputs: number }> {
  const start = performance.now();
  const inputs = await chooseCoins(
    availableCoins(wallet),
    [{ satoshis: BigInt(satoshis), lockingScript: SCRIPT }],
    RATE,
  );
  return { ms: performance.now() - start, inputs: inputs.length };
}
