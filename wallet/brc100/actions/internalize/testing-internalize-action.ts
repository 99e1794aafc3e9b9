import { expect } from 'vitest';
import { PrivateKey, ProtoWallet, PublicKey } from '@bsv/sdk';
import { p2pkhScript } from '../../../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../../../protocol/bitcoin/bytes.ts';
import { PAYMENT_PROTOCOL_ID } from '../../../../protocol/messages/permission.ts';
import { hash160 } from '../../../keys/keys.ts';
import { APP, appScript, called, output } from '../../../../testkit/wallet/applications.ts';
import { useNetwork } from '../../../../testkit/network/network.ts';
import { give, openWallet } from '../../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

export const network = useNetwork();

const SENDER = new PrivateKey(12_345);
const REMITTANCE = {
  derivationPrefix: 'cHJlZml4',
  derivationSuffix: 'c3VmZml4',
  senderIdentityKey: SENDER.toPublicKey().toString(),
};

/** Returns the locking script of a payment to this wallet, computed by the reference implementation. */
export async function lockedTo(workerRun: WorkerRun, remittance = REMITTANCE): Promise<string> {
  const { identity } = await workerRun.modules.vault.publicKeys(wallet);
  const { publicKey } = await new ProtoWallet(SENDER).getPublicKey({
    protocolID: [...PAYMENT_PROTOCOL_ID],
    keyID: `${remittance.derivationPrefix} ${remittance.derivationSuffix}`,
    counterparty: PublicKey.fromString(identity).toString(),
  });
  return toHex(p2pkhScript(hash160(fromHex(publicKey))));
}

interface Arrived {
  tx: number[];
  txid: string;
  vouts: number[];
}

/** Creates a transaction with a wallet in a second browser, and broadcasts it unless `noSend`. */
async function arrive(scripts: [number, string][], { noSend = true, version = 1 } = {}): Promise<Arrived> {
  const payer = await openWallet(network, [1_000_000, 1_000_000]);
  await network.mine();
  await payer.modules.poll.refresh(wallet);
  await give(payer, { origin: APP, currency: 'BSV', limit: 1_000_000n });
  const outputs = scripts.map(([satoshis, script]) => output(satoshis, script));
  const { tx, txid } = await called(payer, 'createAction', {
    description: 'pay by derived key',
    outputs,
    version,
    options: { noSend, randomizeOutputs: false, acceptDelayedBroadcast: false },
  });
  return { tx: tx!, txid: txid!, vouts: scripts.map((_, i) => i) };
}

export const payment = (outputIndex: number, more: object = {}) => ({
  outputIndex,
  protocol: 'wallet payment',
  paymentRemittance: { ...REMITTANCE, ...more },
});
export const insertion = (outputIndex: number, basket = 'things', more: object = {}) => ({
  outputIndex,
  protocol: 'basket insertion',
  insertionRemittance: { basket, tags: ['red'], customInstructions: 'key 7', ...more },
});
export const bringing = (tx: readonly number[], ...outputs: object[]) => ({
  tx,
  outputs,
  description: 'what was sent',
  labels: ['inbox'],
});

/** Starts a wallet and creates a transaction that pays it. */
export async function received(
  satoshis: [number, 'payment' | 'thing'][],
  options: { noSend?: boolean; version?: number } = {},
) {
  const first = await openWallet(network, []);
  const script = await lockedTo(first);
  const arrived = await arrive(
    satoshis.map(([value, kind]) => [value, kind === 'payment' ? script : appScript(0)]),
    options,
  );
  return { workerRun: await first.profile.start(), arrived };
}

/** Checks that nothing was stored. */
export async function expectNothing(workerRun: WorkerRun): Promise<void> {
  const db = await workerRun.modules.database.database(wallet);
  for (const store of ['payments', 'receipts', 'coins', 'appOutputs', 'appActions', 'appLog'] as const)
    expect(await db.getAll(store), store).toEqual([]);
}
