import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../protocol/api.ts';
import { toHex } from '../../protocol/bytes.ts';
import { serializeTransaction, txidOf } from '../../protocol/transaction.ts';
import { startTestArc, type TestArc } from '../chain/testing-arc.ts';
import type { OpenDatabase } from '../database/connect.ts';
import { idempotencyKeys } from '../database/schema.ts';
import { testDatabases } from '../database/testing.ts';
import { bearer, createTestWallet, register, startTestApp, type TestApp } from '../testing.ts';
import { createTestReport, proveReport } from './testing-report.ts';

describe.each(testDatabases)('reports of large transactions on $name', ({ open }) => {
  let database: OpenDatabase;
  let arc: TestArc;
  let app: TestApp;
  let alice: Session;
  const wallet = createTestWallet();

  beforeAll(async () => {
    [database, arc] = await Promise.all([open(), startTestArc()]);
    app = await startTestApp(database, { arcUrl: arc.url });
    alice = await register(app, wallet, 'alice');
  });
  afterAll(async () => {
    await Promise.all([app.close(), arc.close()]);
    await database.close();
  });

  it('fill no table by being sent again under ever new keys, and are kept once all the same', async () => {
    const { report, transaction, key } = createTestReport([200_000n], wallet.publicKey);
    transaction.outputs.push({ satoshis: 0n, lockingScript: Uint8Array.from([0x00, 0x6a, ...new Uint8Array(150_000)]) });
    const bytes = serializeTransaction(transaction);
    arc.statuses.set(txidOf(bytes), 'SEEN_ON_NETWORK');
    const proven = proveReport({ ...report, rawtx: toHex(bytes) }, wallet.publicKey, key);
    const send = (idempotencyKey: string) => app.post('/api/v2/payments', proven, { ...bearer(alice), 'Idempotency-Key': idempotencyKey });

    const first = randomUUID();
    const answers = await Promise.all([first, first, randomUUID(), randomUUID()].map(send));
    const again = await send(first);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    for (const { body } of [...answers, again]) expect(body.payment).toMatchObject({ id: report.id, rawtx: proven.rawtx });
    expect((await app.get('/api/v2/me/payments', bearer(alice))).body.payments).toHaveLength(1);
    expect(await database.db.select().from(idempotencyKeys)).toEqual([]);
  });
});
