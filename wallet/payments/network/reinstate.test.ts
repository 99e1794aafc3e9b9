/** Tests a reorganization that reinstates a payment after a later payment has spent its released coin. */
import { expect, test } from 'vitest';
import { useVault } from '../../../testkit/wallet/vault.ts';
import type { PaymentRecord } from '../record.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const run = useVault();
const [SHARED, OTHER] = [`${'aa'.repeat(32)}:0`, `${'bb'.repeat(32)}:0`];
const CHAIN = { group: OTHER };

/**
 * Stores a payment ended by a conflicting transaction, and a later accepted payment. Then reverts the conflict's block.
 */
async function reinstated(first: Partial<PaymentRecord> = {}, later: Partial<PaymentRecord> = {}) {
  const { newPayment } = await import('../start.ts');
  const { end } = await import('./conflicts.ts');
  const { reviveAbove } = await import('./reorg.ts');
  const signedWith = (txid: string, inputs: string[]) => ({
    txid: txid.repeat(32),
    inputs,
    inputSatoshis: inputs.map(() => 1n),
    ownOutputs: [],
  });
  const common = { origin: 'https://shop.example', options: { outputs: [] }, quote: { outputs: [], satoshis: 1n } };
  const ended = { txid: 'ee'.repeat(32), height: 7, state: 'signed' };
  const records = [
    { id: 'first', state: 'failed', signed: signedWith('01', [OTHER, SHARED]), ended, createdAt: 1, ...first },
    { id: 'later', state: 'settled', signed: signedWith('02', [SHARED]), createdAt: 2, ...later },
  ];
  const db = await run.database.database(wallet);
  for (const one of records)
    await db.put('payments', newPayment(wallet, { requestId: one.id, ...common, ...one } as never));
  await run.database.inTransaction(wallet, (tx) => reviveAbove(wallet, tx, 6));
  return {
    read: (id: string) => db.get('payments', id),
    async endLater() {
      const record = (await db.get('payments', 'later')) as PaymentRecord;
      const by = { txid: 'dd'.repeat(32), height: 8, isCancel: false };
      await run.database.inTransaction(wallet, (tx) => end(wallet, tx, record, by, new Set()));
    },
  };
}

test('a reinstated payment is replaced by the later payment that spends its coin', async () => {
  const { read } = await reinstated();
  expect(await read('first')).toMatchObject({ state: 'signed', ended: null, replacedBy: 'later' });
  expect(await read('later')).toMatchObject({ state: 'settled', replacedBy: null });
});

test('a reinstated payment is no longer replaced once a block has ended the later payment', async () => {
  const { read, endLater } = await reinstated();
  await endLater();
  expect(await read('later')).toMatchObject({ state: 'failed' });
  expect(await read('first')).toMatchObject({ state: 'signed', replacedBy: null });
});

test('a reinstated payment is not replaced by a payment that it has itself replaced', async () => {
  const { read } = await reinstated(CHAIN, { ...CHAIN, replacedBy: 'first' });
  expect(await read('first')).toMatchObject({ state: 'signed', replacedBy: null });
});
