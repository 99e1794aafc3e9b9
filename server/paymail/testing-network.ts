/** For tests: the embedded ledger behind ARC's API, and valid transactions signed with @bsv/sdk. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LockingScript, MerklePath, P2PKH, PrivateKey, Transaction } from '@bsv/sdk';
import express from 'express';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import { openDevnet } from '../devnet/devnet.ts';

export interface Output {
  script: string;
  satoshis: number;
}

export interface TestNetwork {
  arcUrl: string;
  /** Base URL of WhatsOnChain's API on the same ledger. */
  wocUrl: string;
  /** Submits a transaction as the payer's wallet would. `broadcasts` counts only the service's submissions. */
  broadcast(transaction: Transaction): Promise<void>;
  /** Changes an unconfirmed version 2 transaction, as a third party can. Returns the new txid. */
  alter(transaction: Transaction): Promise<string>;
  replace(transaction: Transaction, by: Transaction): Promise<void>;
  mine(): Promise<void>;
  /** Pays `satoshis` to a new key. Returns the coin with its mined transaction and proof. */
  coin(satoshis: number): Promise<Coin>;
  broadcasts: number;
  onBroadcast: () => Promise<void>;
  close(): Promise<void>;
}

export interface Coin {
  key: PrivateKey;
  transaction: Transaction;
  vout: number;
}

/** Starts a ledger that mines on demand. @param network the object to fill in and return */
export async function startTestNetwork(network = {} as TestNetwork): Promise<TestNetwork> {
  const directory = await mkdtemp(join(tmpdir(), 'paymail-'));
  const devnet = await openDevnet({ directory, blockIntervalMs: 0 });
  const app = express();
  app.post('/devnet/arc/v1/tx', async (_request, _response, next) => {
    network.broadcasts += 1;
    await network.onBroadcast();
    next();
  });
  const server = app.use('/devnet', devnet.router).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/devnet`;
  const ask = async (path: string, body?: unknown) => {
    const response = await fetch(
      url + path,
      body === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
    );
    return response.text();
  };
  return Object.assign<TestNetwork, TestNetwork>(network, {
    arcUrl: `${url}/arc`,
    wocUrl: `${url}/woc/v1/bsv/test`,
    async broadcast(transaction) {
      const answer = JSON.parse(await ask('/arc/v1/tx', { rawTx: transaction.toHex() }));
      network.broadcasts -= 1;
      if (answer.txid !== transaction.id('hex')) throw new Error(`not accepted: ${JSON.stringify(answer)}`);
    },
    alter: (transaction) => devnet.alter(transaction.id('hex')),
    replace: (transaction, by) => devnet.replace(transaction.id('hex'), Uint8Array.from(by.toBinary())),
    async mine() {
      await ask('/mine', { blocks: 1 });
    },
    broadcasts: 0,
    onBroadcast: async () => {},
    async coin(satoshis) {
      const key = PrivateKey.fromRandom();
      const { txid } = JSON.parse(
        await ask('/faucet', {
          address: writeAddress(Uint8Array.from(key.toPublicKey().toHash() as number[]), 'devnet'),
          satoshis,
        }),
      );
      await network.mine();
      const transaction = Transaction.fromHex(await ask(`/woc/v1/bsv/test/tx/${txid}/hex`));
      transaction.merklePath = MerklePath.fromHex(JSON.parse(await ask(`/arc/v1/tx/${txid}`)).merklePath);
      return { key, transaction, vout: 0 };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await devnet.close();
      await rm(directory, { recursive: true, force: true });
    },
  });
}

/** Creates a signed transaction from a coin to these outputs, with change to the coin's key and a 200-satoshi fee. */
export async function spend(
  { key, transaction: sourceTransaction, vout }: Coin,
  outputs: readonly Output[],
  version = 1,
): Promise<Transaction> {
  const transaction = new Transaction(version);
  transaction.addInput({
    sourceTransaction,
    sourceOutputIndex: vout,
    sequence: 0xffff_ffff,
    unlockingScriptTemplate: new P2PKH().unlock(key),
  });
  const held = sourceTransaction.outputs[vout]?.satoshis ?? 0;
  for (const { script, satoshis } of outputs)
    transaction.addOutput({ satoshis, lockingScript: LockingScript.fromHex(script) });
  transaction.addOutput({
    satoshis: held - outputs.reduce((sum, { satoshis }) => sum + satoshis, 0) - 200,
    lockingScript: new P2PKH().lock(key.toPublicKey().toHash() as number[]),
  });
  await transaction.sign();
  return transaction;
}
