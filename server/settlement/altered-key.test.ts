/**
 * A third party changes the unlocking script of an unmined transaction (version 2) so that its last 33 bytes are the third
 * party's key. The network accepts it, because such scripts may contain other opcodes than pushes (Chronicle).
 */
import { PrivateKey, Transaction } from '@bsv/sdk';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex, serializeTransaction } from '../../protocol/bitcoin/transaction.ts';
import type { Session } from '../../protocol/http/api.ts';
import { createArcClient } from '../chain/arc-client.ts';
import { createTransactionSource } from '../chain/transaction-source.ts';
import { payments } from '../database/schema.ts';
import { spend, startTestNetwork, type TestNetwork } from '../paymail/testing-network.ts';
import { createTestReport, proveReport } from '../payment-reports/testing-report.ts';
import { refundAddress } from '../payments/refunds.ts';
import { bearer, createTestWallet, register, registerApplication, type TestApplication } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { followDue } from './follow.ts';

const PAYMENTS = '/api/v2/payments';
let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork();
});
afterAll(() => network.close());
const { app, database } = useService(() => ({ arcUrl: network.arcUrl, wocUrl: network.wocUrl, rateLimits: 'off' }));
const [wallet, thief] = [createTestWallet(), createTestWallet()];
let [payer, keeper, attacker, shop] = [{} as Session, {} as Session, {} as Session, {} as TestApplication];
beforeAll(async () => {
  payer = await register(app, wallet, 'payer');
  keeper = await register(app, createTestWallet(), 'keeper');
  attacker = await register(app, thief, 'mallory');
  shop = await registerApplication(app, keeper);
});

async function pay() {
  const coin = await network.coin(300_000);
  const hash = Uint8Array.from(PrivateKey.fromRandom().toPublicKey().toHash() as number[]);
  const [script, to] = [toHex(p2pkhScript(hash)), writeAddress(hash, 'devnet')];
  const transaction = await spend(coin, [{ script, satoshis: 200_000 }], 2);
  await network.broadcast(transaction);
  const reportBy = (rawtx: string, reporter: string, key: PrivateKey) => {
    const { inputProof: _, ...report } = createTestReport([200_000n], reporter).report;
    const outputs = report.outputs.map((output) => ({
      ...output,
      to,
      address: to,
      scripts: [{ script, satoshis: '200000' }],
    }));
    return proveReport({ ...report, rawtx, outputs, clientIdentifier: shop.clientIdentifier }, reporter, key);
  };
  return { transaction, coin, reportBy };
}

/** A key whose compressed form ends with OP_DROP. */
function keyThatEndsWithDrop(): PrivateKey {
  for (;;) {
    const key = PrivateKey.fromRandom();
    if (key.toPublicKey().toString().endsWith('75')) return key;
  }
}

/** Adds a push of the key's first 32 bytes, and OP_DROP, which is its last byte. */
function altered(transaction: Transaction, key: PrivateKey): Transaction {
  const read = parseTransactionHex(transaction.toHex());
  const added = fromHex(`20${key.toPublicKey().toString().slice(0, 64)}75`);
  const inputs = read.inputs.map((input) => ({ ...input, unlockingScript: concatBytes(input.unlockingScript, added) }));
  return Transaction.fromHex(toHex(serializeTransaction({ ...read, inputs })));
}

let later = 0;
const follow = async () => {
  later += 7 * 3600_000;
  const context = {
    db: database.db,
    arc: createArcClient(network.arcUrl),
    source: createTransactionSource(network.wocUrl),
    now: () => new Date(app.clock.ms + later),
    log: pino({ level: 'silent' }),
    maxDelayMs: 3600_000,
    callback: null,
  };
  while ((await followDue(context)) > 0);
};

it('refunds never go to a third party that has altered the payment’s transaction', async () => {
  const { transaction, coin, reportBy } = await pay();
  const report = reportBy(transaction.toHex(), wallet.publicKey, coin.key);
  expect((await app.post(PAYMENTS, report, bearer(payer))).status).toBe(201);
  const key = keyThatEndsWithDrop();
  const other = altered(transaction, key);
  await network.replace(transaction, other);
  await network.mine();
  await follow();
  const [payment] = await database.db.select().from(payments).where(eq(payments.id, report.id));
  expect(payment).toMatchObject({ status: 'COMPLETED', txid: other.id('hex') });
  expect(refundAddress(payment!, 'devnet')).toBeNull();
});

it('a third party can’t report somebody else’s payment as its own after altering the transaction', async () => {
  const { transaction, reportBy } = await pay();
  const key = keyThatEndsWithDrop();
  const other = altered(transaction, key);
  await network.replace(transaction, other);
  await network.mine();
  const answer = await app.post(PAYMENTS, reportBy(other.toHex(), thief.publicKey, key), bearer(attacker));
  expect(other.id('hex')).not.toBe(transaction.id('hex'));
  expect([answer.status, answer.body.error?.code]).toEqual([422, 'payment-mismatch']);
});
