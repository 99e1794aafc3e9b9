/** Tests the calculation of the maximum cost of payments, which is used to check limits. */
import { describe, expect, test } from 'vitest';
import { addressScript } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { someone } from '../../testkit/wallet/wallet.ts';
import { mostOf } from './costs.ts';
import { Network } from './network.ts';
import { Random } from '../random.ts';
import { Scheduler } from '../scheduler.ts';

const ADDRESS = someone();
const OWN_SCRIPT = addressScript(ADDRESS, 'devnet');
const OWN: ReadonlySet<string> = new Set([toHex(OWN_SCRIPT)]);
const random = new Random(1);
const network = new Network(random, new Scheduler(random, 0));

/** Creates an unaccepted transaction that spends 100 satoshis per input and returns all but `cost`. */
function payment(cost: bigint, ...from: readonly string[]): string {
  const transaction: Transaction = {
    version: 1,
    inputs: from.map((txid) => {
      const known = network.ledger.known.get(txid)?.transaction ?? network.seen.get(txid);
      const vout = known?.outputs.findIndex(({ lockingScript }) => toHex(lockingScript) === toHex(OWN_SCRIPT)) ?? 0;
      return { txid, vout, unlockingScript: new Uint8Array(), sequence: 0xffffffff };
    }),
    outputs: [{ satoshis: 100n * BigInt(from.length) - cost, lockingScript: OWN_SCRIPT }],
    lockTime: 0,
  };
  const txid = txidOf(serializeTransaction(transaction));
  network.seen.set(txid, transaction);
  return txid;
}

const [a, b, c] = await Promise.all([0, 1, 2].map(() => network.ledger.faucet(ADDRESS, 100)));
const first = payment(30n, a!, b!);

describe('the maximum cost of several payments', () => {
  test('the maximum is the sum if each payment spends different coins', () => {
    expect(mostOf(network, [first, payment(20n, c!)], OWN)).toBe(50n);
    expect(mostOf(network, [], OWN)).toBe(0n);
  });

  test('the maximum is the cost of the costliest set of payments that don’t conflict with each other', () => {
    const second = payment(40n, b!);
    const other = payment(20n, c!);
    expect(mostOf(network, [first, second], OWN)).toBe(40n);
    expect(mostOf(network, [second, first, other], OWN)).toBe(60n);
    // The two cheaper payments conflict with the first one, but not with each other.
    expect(mostOf(network, [first, payment(25n, a!), payment(10n, b!)], OWN)).toBe(35n);
    expect(mostOf(network, [first, payment(10n, a!), payment(15n, b!)], OWN)).toBe(30n);
  });

  test('the maximum excludes a payment that can’t be mined because the transaction that created its coin was double-spent', async () => {
    const [coin, other] = [await network.ledger.faucet(ADDRESS, 90_000), await network.ledger.faucet(ADDRESS, 90_000)];
    const [dead, alive] = [payment(30n, coin), payment(20n, other)];
    network.doubleSpend(coin);
    expect([mostOf(network, [dead], OWN), mostOf(network, [dead, alive], OWN)]).toEqual([0n, 89_920n]);
  });

  test('the maximum includes a payment together with the one whose change it spends, but not with conflicts of that one', () => {
    const parent = payment(0n, a!);
    const heir = payment(50n, parent);
    expect(mostOf(network, [parent, heir], OWN)).toBe(50n);
    expect(mostOf(network, [payment(60n, a!), heir], OWN)).toBe(60n);
    expect(mostOf(network, [payment(45n, a!), heir], OWN)).toBe(50n);
  });
});
