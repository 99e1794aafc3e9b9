/** Tests reinstating payments after later payments have spent their released coins, or their coins' IDs have changed. */
import { describe, expect, test } from 'vitest';
import { normalizedTxidOf } from '../../../protocol/bitcoin/transaction.ts';
import { testReceipt } from '../../../testkit/wallet/coins.ts';
import { useVault } from '../../../testkit/wallet/vault.ts';
import type { PaymentRecord } from '../record.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const run = useVault();
const [SHARED, OTHER] = [`${'aa'.repeat(32)}:0`, `${'bb'.repeat(32)}:0`];
const CHAIN = { group: OTHER };
const ENDED = { txid: 'ee'.repeat(32), height: 7, state: 'signed' } as const;
const signedWith = (txid: string, inputs: string[]): NonNullable<PaymentRecord['signed']> =>
  ({ txid: txid.repeat(32), inputs, inputSatoshis: inputs.map(() => 1n), ownOutputs: [] }) as never;

/**
 * Stores a payment ended by a conflicting transaction, and a later accepted payment. Then reverts the conflict's block.
 */
async function reinstated(first: Partial<PaymentRecord> = {}, later: Partial<PaymentRecord> = {}) {
  const { newPayment } = await import('../start.ts');
  const { end } = await import('./conflicts.ts');
  const { reviveAbove } = await import('./reorg.ts');
  const common = { origin: 'https://shop.example', options: { outputs: [] }, quote: { outputs: [], satoshis: 1n } };
  const records = [
    { id: 'first', state: 'failed', signed: signedWith('01', [OTHER, SHARED]), ended: ENDED, createdAt: 1, ...first },
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

test.each<[before: string, first: Partial<PaymentRecord>, trouble: PaymentRecord['trouble']]>([
  ['that operators contested', { trouble: 'contested' }, 'refused'],
  ['that was never sent', {}, 'refused'],
  ['that was given up', { trouble: 'aborted' }, 'aborted'],
  ['that was on the network', { ended: { ...ENDED, state: 'settled' } }, 'unseen'],
  ['that is a cancellation', { cancel: true, trouble: 'contested' }, 'contested'],
  ['that is a sweep', { sweep: true, trouble: 'contested' }, 'contested'],
  ['that is an action', { action: { inputs: [], outputs: [] } as never, trouble: 'contested' }, 'contested'],
])('a payment %s has the expected trouble after it is reinstated', async (_, first, trouble) => {
  const { read } = await reinstated({ ...first, signed: signedWith('01', [OTHER]) });
  expect(await read('first')).toMatchObject({ state: first.ended?.state ?? 'signed', trouble, wasRejected: true });
});

test('a reinstated payment is replaced by the later payment that spends its coin', async () => {
  const { read } = await reinstated();
  expect(await read('first')).toMatchObject({ state: 'signed', ended: null, replacedBy: 'later' });
  expect(await read('later')).toMatchObject({ state: 'settled', replacedBy: null });
});

test('the later of two reinstated payments with the same coin replaces the earlier one', async () => {
  const { read } = await reinstated({}, { state: 'failed', ended: { ...ENDED, height: 8, state: 'settled' } });
  expect(await read('first')).toMatchObject({ state: 'signed', replacedBy: 'later' });
  expect(await read('later')).toMatchObject({ state: 'settled', replacedBy: null });
});

test('a reinstated payment isn’t replaced by a payment that an earlier block has ended', async () => {
  const { read } = await reinstated({ replacedBy: 'later' }, { state: 'failed', ended: { ...ENDED, height: 5 } });
  expect(await read('first')).toMatchObject({ state: 'signed', replacedBy: null });
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

describe('after a transaction has its earlier ID again', () => {
  const [INCOMING, OTHER_INCOMING] = ['aa'.repeat(32), 'bb'.repeat(32)];
  /** Stores payments. The failed ones ended because the incoming transaction had lost its ID. */
  async function revived(...payments: { id: string; inputs: string[]; [field: string]: unknown }[]) {
    const { newPayment } = await import('../start.ts');
    const { reviveHeirs } = await import('./reorg.ts');
    const db = await run.database.database(wallet);
    for (const [i, { id, inputs, ...more }] of payments.entries()) {
      const txid = `0${i}`.repeat(32);
      const signed = { txid, inputs, inputSatoshis: inputs.map(() => 1n), ownOutputs: [`${txid}:0`] };
      const ended = { txid: 'ee'.repeat(32), height: 0, state: 'signed' };
      const quoted = { origin: 'https://shop.example', options: { outputs: [] }, quote: { outputs: [], satoshis: 1n } };
      const stored = { requestId: id, id, signed, state: 'failed', ended, createdAt: i, ...quoted, ...more };
      await db.put('payments', newPayment(wallet, stored as never));
    }
    await run.database.inTransaction(wallet, (tx) => reviveHeirs(wallet, tx, INCOMING, new Set()));
    return Promise.all(payments.map(({ id }) => db.get('payments', id)));
  }
  const heir = { id: 'heir', inputs: [`${INCOMING}:0`] };

  test('payments that spend its outputs are reinstated, and those that spend their change', async () => {
    const later = { id: 'later', inputs: [`${'00'.repeat(32)}:0`] };
    const ended = { txid: 'ee'.repeat(32), height: 7, state: 'signed' };
    const doubleSpent = { ...heir, id: 'double-spent', ended };
    expect(await revived(heir, later, doubleSpent)).toMatchObject([
      { state: 'signed', ended: null, error: null },
      { state: 'signed', ended: null },
      { state: 'failed', ended },
    ]);
  });

  test('its earlier ID doesn’t keep the change of these payments out of the balance', async () => {
    const { hasRival } = await import('../../coins/unproven.ts');
    const db = await run.database.database(wallet);
    await db.put('receipts', testReceipt({ txid: 'ee'.repeat(32) }));
    const [record] = await revived(heir);
    // The receipt then moves to the regained ID.
    await db.delete('receipts', 'ee'.repeat(32));
    expect(await run.database.inTransaction(wallet, (tx) => hasRival(tx, record!))).toBe(false);
  });

  test('a payment stays ended while another transaction whose output it spends has a different ID', async () => {
    const [record] = await revived({ ...heir, inputs: [`${INCOMING}:0`, `${OTHER_INCOMING}:0`] });
    expect(record).toMatchObject({ state: 'failed', ended: { height: 0 } });
  });

  test('a payment that another block has ruled out since stays ended until that block is undone', async () => {
    const { reviveAbove } = await import('./reorg.ts');
    const maker = { id: 'maker', inputs: [], state: 'settled', ended: null, height: 5 };
    const coin = `${'00'.repeat(32)}:0`;
    const winner = { id: 'winner', inputs: [coin], state: 'settled', ended: null, height: 9 };
    const [, , record] = await revived(maker, winner, { ...heir, inputs: [`${INCOMING}:0`, coin] });
    expect(record).toMatchObject({ state: 'failed', ended: { txid: '01'.repeat(32), height: 9, state: 'signed' } });
    await run.database.inTransaction(wallet, (tx) => reviveAbove(wallet, tx, 8));
    expect(await (await run.database.database(wallet)).get('payments', 'heir')).toMatchObject({ state: 'signed' });
  });

  test('payments that spend the change of a payment that another block has ruled out follow it', async () => {
    const { reviveAbove } = await import('./reorg.ts');
    const maker = { id: 'maker', inputs: [], state: 'settled', ended: null, height: 5 };
    const coin = `${'00'.repeat(32)}:0`;
    const winner = { id: 'winner', inputs: [coin], state: 'settled', ended: null, height: 9 };
    const later = { id: 'later', inputs: [`${'02'.repeat(32)}:0`] };
    const [, , , record] = await revived(maker, winner, { ...heir, inputs: [`${INCOMING}:0`, coin] }, later);
    expect(record).toMatchObject({ state: 'failed', ended: { txid: '01'.repeat(32), height: 9 } });
    await run.database.inTransaction(wallet, (tx) => reviveAbove(wallet, tx, 8));
    const db = await run.database.database(wallet);
    for (const id of ['heir', 'later']) expect(await db.get('payments', id)).toMatchObject({ state: 'signed' });
  });

  test('payments that another block has ruled out stay ended if the transaction’s ID changes before that block is undone', async () => {
    const { noteRival } = await import('./altered.ts');
    const { reviveAbove } = await import('./reorg.ts');
    const transaction = {
      version: 2,
      lockTime: 0,
      inputs: [{ txid: OTHER_INCOMING, vout: 0, unlockingScript: new Uint8Array(1), sequence: 1 }],
      outputs: [{ satoshis: 1n, lockingScript: new Uint8Array(1) }],
    };
    const [to, spent] = ['dd'.repeat(32), `${OTHER_INCOMING}:0`];
    const own = { txid: INCOMING, inputs: [spent], inputSatoshis: [1n], ownOutputs: [`${INCOMING}:0`] };
    const parent = { ...own, normalizedTxid: normalizedTxidOf(transaction) };
    const ended = { txid: 'ee'.repeat(32), height: 9, state: 'signed' };
    const later = { id: 'later', inputs: [`${'01'.repeat(32)}:0`], ended };
    await revived(
      { id: 'parent', inputs: [], signed: parent, state: 'signed', ended: null },
      { ...heir, ended },
      later,
    );
    const db = await run.database.database(wallet);
    const block = { hash: 'bb'.repeat(32), height: 8, time: 1 };
    await db.put('headers', block as never);
    await noteRival(wallet, 'parent', { outpoint: spent, spender: to, transaction, block: block as never });
    expect(await db.get('payments', 'parent')).toMatchObject({ signed: { txid: to }, height: 8 });
    await run.database.inTransaction(wallet, (tx) => reviveAbove(wallet, tx, 8));
    for (const id of ['heir', 'later'])
      expect(await db.get('payments', id)).toMatchObject({ state: 'failed', ended: { txid: to, height: 0 } });
  });

  test('a payment is reinstated with the payment whose change it spends if a later reorganization undoes that payment’s rival', async () => {
    const { reviveAbove } = await import('./reorg.ts');
    const ended = { txid: 'ee'.repeat(32), height: 9, state: 'signed' };
    const parent = { id: 'parent', inputs: [`${OTHER_INCOMING}:0`], ended };
    const child = { id: 'child', inputs: [`${INCOMING}:0`, `${'00'.repeat(32)}:0`] };
    await revived(parent, child);
    await run.database.inTransaction(wallet, (tx) => reviveAbove(wallet, tx, 8));
    const db = await run.database.database(wallet);
    expect(await db.get('payments', 'parent')).toMatchObject({ state: 'signed' });
    expect(await db.get('payments', 'child')).toMatchObject({ state: 'signed' });
  });
});
