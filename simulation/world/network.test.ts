/** Tests which of the simulated network's responses count as acknowledgments. */
import { expect, test } from 'vitest';
import { extendedFormat } from '../../protocol/network/broadcaster/extended-format.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { Random } from '../random.ts';
import { Scheduler } from '../scheduler.ts';
import type { Lie } from './faults.ts';
import { Network, SERVICE } from './network.ts';

/** Submits a transaction whose input is unknown to an Arcade, and queries its status. */
async function rejected(lie: Lie | null) {
  const scheduler = new Scheduler(new Random(1), 0);
  const network = new Network(new Random(1), scheduler);
  network.operators[0].dialect = 'arcade';
  network.lie = lie;
  const script = Uint8Array.of(0x51);
  const transaction = network.foreign(script, 8);
  const txid = txidOf(serializeTransaction(transaction));
  const rawTx = toHex(extendedFormat(transaction, [{ satoshis: 9n, lockingScript: script }]));
  const asked = (method: string, path: string, body = '') =>
    new Promise<string>((resolve, reject) => {
      network.send(
        { method, url: `${SERVICE}/arc${path}`, body, isOfAccount: false },
        ({ text }) => resolve(text),
        reject,
      );
      void scheduler.pass(10_000);
    });
  await asked('POST', '/tx', JSON.stringify({ rawTx }));
  const { txStatus } = JSON.parse(await asked('GET', `/tx/${txid}`)) as { txStatus: string };
  return { txStatus, isAcknowledged: network.acknowledged.has(txid) };
}

test('a transaction that the nodes reject isn’t acknowledged', async () => {
  expect(await rejected(null)).toEqual({ txStatus: 'REJECTED', isAcknowledged: false });
});

test('a rejected transaction that an operator reports as mined counts as acknowledged', async () => {
  expect(await rejected('all mined')).toEqual({ txStatus: 'MINED', isAcknowledged: true });
});
