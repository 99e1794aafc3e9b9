/** Test fixture: payments to derived keys (BRC-29), which only the log can restore. */
import { PrivateKey, ProtoWallet } from '@bsv/sdk';
import { vi } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { concatBytes, fromHex } from '../../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, type Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { PAYMENT_PROTOCOL_ID } from '../../../protocol/messages/permission.ts';
import { startForking } from '../../../testkit/network/forking.ts';
import { called } from '../../../testkit/wallet/applications.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { openWallet, paymentWhere, stored } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { hash160 } from '../../keys/keys.ts';
import type { PaymentRecord } from '../../payments/record.ts';

const MISSING = { status: 462, body: { status: 462, title: 'missing inputs', detail: 'missing inputs' } };
const SENDER = new PrivateKey(12_345);
export const REMITTANCE = {
  derivationPrefix: 'cHJlZml4',
  derivationSuffix: 'c3VmZml4',
  senderIdentityKey: SENDER.toPublicKey().toString(),
};
export const FINAL_DEPTH = 100;

export async function lockedTo(run: WorkerRun): Promise<Uint8Array> {
  const { identity } = await run.modules.vault.publicKeys(wallet);
  const { publicKey } = await new ProtoWallet(SENDER).getPublicKey({
    protocolID: [...PAYMENT_PROTOCOL_ID],
    keyID: `${REMITTANCE.derivationPrefix} ${REMITTANCE.derivationSuffix}`,
    counterparty: identity,
  });
  return p2pkhScript(hash160(fromHex(publicKey)));
}

/**
 * Starts a wallet that internalizes payments of 50,000 satoshis to a derived key, and sweeps them.
 * @param count number of payments in their transaction
 * @param taken number of payments that the application internalizes
 */
export async function swept(version = 2, count = 1, taken = count) {
  const network = await startForking(30);
  const run = await openWallet(network, []);
  const lockingScript = await lockedTo(run);
  const transaction: Transaction = {
    version,
    lockTime: 0,
    inputs: [{ txid: 'ab'.repeat(32), vout: 0, unlockingScript: new Uint8Array(2), sequence: 1 }],
    outputs: Array.from({ length: count }, () => ({ satoshis: 50_000n, lockingScript })),
  };
  const bytes = serializeTransaction(transaction);
  const paid = network.take(bytes);
  await called(run, 'internalizeAction', {
    tx: [...fromHex('01010101'), ...fromHex(paid).reverse(), ...fromHex('0100beef'), 0, 1, ...bytes, 0],
    outputs: transaction.outputs.slice(0, taken).map((_, outputIndex) => ({
      outputIndex,
      protocol: 'wallet payment',
      paymentRemittance: REMITTANCE,
    })),
    description: 'what was sent',
    labels: ['inbox'],
  });
  const { id } = (await stored(run)).payments[0]!;
  const sweep = await paymentWhere(run, id, ({ state }) => state === 'settled');
  const unlockingScript = concatBytes(Uint8Array.of(0x51), new Uint8Array(2));
  const altered = serializeTransaction({
    ...transaction,
    inputs: transaction.inputs.map((one) => ({ ...one, unlockingScript })),
  });
  const now = vi.mocked(Date.now).getMockImplementation()!;
  let ahead = 0;
  vi.mocked(Date.now).mockImplementation(() => now() + ahead);
  const refresh = async (later = run) => {
    ahead += 15 * 60_000;
    await later.modules.poll.refresh(wallet, { all: true });
    await later.modules.drive.processAll(wallet);
    await later.modules.appSync.syncAppLog(wallet);
  };
  /** Refreshes until the network has a sweep of a transaction's output. @returns the sweep */
  const sweepOf = async (txid: string, vout = 0): Promise<PaymentRecord> => {
    for (;;) {
      await refresh();
      const { payments } = await stored(run);
      const found = payments.find((one) => one.signed?.inputs[0] === `${txid}:${vout}` && one.state === 'settled');
      if (found) return found;
    }
  };
  /**
   * Replaces the last blocks with new ones, the first of which contains the transaction. Drops the transaction's
   * version with the ID `gone`, and the sweep of that version (`its`).
   */
  const replace = (blocks: number, transactionBytes: Uint8Array, gone: string, its: PaymentRecord) => {
    if (blocks > 0) network.chain.cut(blocks);
    network.forget(gone);
    network.forget(its.signed!.txid);
    network.judge = ({ inputs }) => (inputs.some(({ txid }) => txid === gone) ? MISSING : null);
    const txid = network.take(transactionBytes);
    network.mine([txid]);
    network.chain.grow(blocks);
    return txid;
  };
  /** Mines a transaction that spends an outpoint and pays a third party. */
  const spendElsewhere = (txid: string, vout: number) =>
    network.mine([
      network.take(
        serializeTransaction({
          version: 1,
          lockTime: 0,
          inputs: [{ txid, vout, unlockingScript: new Uint8Array(2), sequence: 1 }],
          outputs: [{ satoshis: 49_000n, lockingScript: p2pkhScript(new Uint8Array(20)) }],
        }),
      ),
    ]);
  /** Drops the payment and its sweep, because a mined transaction spends the payment's input. */
  const doubleSpend = () => {
    network.forget(sweep.signed!.txid);
    network.forget(paid);
    network.judge = ({ inputs }) => (inputs.some(({ txid }) => txid === paid) ? MISSING : null);
    spendElsewhere('ab'.repeat(32), 0);
  };
  const received = async () => {
    const receipts = await (await run.modules.database.database(wallet)).getAll('receipts');
    return receipts.map(({ satoshis }) => satoshis);
  };
  const balance = async () => (await run.modules.store.balance(wallet)).satoshis;
  const logged = async (txid = paid, vout = 0) =>
    (await (await run.modules.database.database(wallet)).get('appLog', `${txid}:${vout} payment`))?.entry.kind;
  return {
    ...{ network, run, sweep, bytes, paid, altered, refresh, sweepOf, replace },
    ...{ spendElsewhere, doubleSpend, received, balance, logged },
  };
}
