/**
 * An account tries to claim another person's anonymously reported payment, with its own key in the unlocking script.
 */
import { PrivateKey } from '@bsv/sdk';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import type { PaymentReport, Session } from '../../protocol/http/api.ts';
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { pushData } from '../../protocol/bitcoin/push-data.ts';
import { parseTransactionHex, serializeTransaction } from '../../protocol/bitcoin/transaction.ts';
import { payments } from '../database/schema.ts';
import { bearer, createTestWallet, register, registerApplication, type TestApplication } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { createTestReport, proveAnonymously, proveReport } from './testing-report.ts';

const { app, arc, database } = useService();
const thief = createTestWallet();
let [keeper, other, shop] = [{} as Session, {} as Session, {} as TestApplication];
beforeAll(async () => {
  keeper = await register(app, createTestWallet(), 'keeper');
  other = await register(app, thief, 'mallory');
  shop = await registerApplication(app, keeper);
});

it('only the payer can claim an anonymously reported payment', async () => {
  const made = createTestReport([200_000n], '02'.padEnd(66, '1'));
  arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
  const said = { ...made.report, clientIdentifier: shop.clientIdentifier };
  const anonymous = proveAnonymously(said, app.baseUrl, made.key);
  expect((await app.post('/api/v2/payments', anonymous)).status).toBe(201);

  // Everything that the attacker needs is in the payment, which the shop, its page and its OAuth applications can read.
  const { payment } = (await app.get(`/api/v2/payments/${said.id}`, bearer(keeper))).body;
  const read = parseTransactionHex(payment.rawtx);
  const key = PrivateKey.fromRandom();
  const unlockingScript = concatBytes(pushData(new Uint8Array(72)), pushData(fromHex(key.toPublicKey().toString())));
  const inputs = read.inputs.map((input, i) => (i === 0 ? { ...input, unlockingScript } : input));
  const rawtx = toHex(serializeTransaction({ ...read, inputs }));
  const claim = proveReport({ ...said, rawtx } as PaymentReport, thief.publicKey, key);
  const answer = await app.post('/api/v2/payments', claim, bearer(other));

  const [stored] = await database.db.select().from(payments).where(eq(payments.id, said.id));
  expect({ status: answer.status, userId: stored?.userId, senderPaymail: stored?.senderPaymail }).toEqual({
    status: 422,
    userId: null,
    senderPaymail: null,
  });
});
