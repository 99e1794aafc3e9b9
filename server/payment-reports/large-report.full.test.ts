import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Session } from '../../protocol/http/api.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { idempotencyKeys } from '../database/schema.ts';
import { bearer, createTestWallet, register, startTestApp } from '../testing.ts';
import { createTestReport, proveReport } from './testing-report.ts';
import { useService } from '../testing-service.ts';

describe('reports of large transactions', () => {
  const { app, arc, database } = useService();
  let alice: Session;
  const wallet = createTestWallet();

  beforeAll(async () => {
    alice = await register(app, wallet, 'alice');
  });

  const large = (bytes: number, publicKey = wallet.publicKey) => {
    const { report, transaction, key } = createTestReport([200_000n], publicKey);
    transaction.outputs.push({ satoshis: 0n, lockingScript: Uint8Array.from([0x00, 0x6a, ...new Uint8Array(bytes)]) });
    const raw = serializeTransaction(transaction);
    arc.statuses.set(txidOf(raw), 'SEEN_ON_NETWORK');
    return proveReport({ ...report, rawtx: toHex(raw) }, publicKey, key);
  };

  it('only a few are processed at a time, per user and in total, and further ones get a 503', async () => {
    const app = await startTestApp(database, { arcUrl: arc.url, intake: { large: 4_000_000, ofOne: 3_000_000 } });
    // The first report makes the service detect the operator's API, which costs extra requests.
    expect((await app.post('/api/v2/payments', large(1), bearer(alice))).status).toBe(201);
    const asked = arc.requests;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    arc.before = () => released;
    const reports = Array.from({ length: 2 }, () => large(600_000));
    const held = reports.map((report) => app.post('/api/v2/payments', report, bearer(alice)));
    await vi.waitFor(() => expect(arc.requests - asked).toBe(2), 20_000);

    const third = large(600_000);
    const refused = await app.post('/api/v2/payments', third, bearer(alice));
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'service-unavailable',
      '5',
    ]);
    // Compressed bodies are rejected, because they can expand to many times their size.
    const packed = await fetch(`${app.url}/api/v2/payments`, {
      method: 'POST',
      headers: { ...bearer(alice), 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: gzipSync(JSON.stringify(third)),
    });
    expect(packed.status).toBe(400);

    const report = async (handle: string) => {
      const own = createTestWallet();
      const [proven, session] = [large(600_000, own.publicKey), await register(app, own, handle)];
      return () => app.post('/api/v2/payments', proven, bearer(session));
    };
    const [ofBob, ofCarol] = [await report('bob'), await report('carol')];
    const sent = [app.post('/api/v2/payments', large(1_000), bearer(alice)), ofBob()];
    await vi.waitFor(() => expect(arc.requests - asked).toBe(4), 20_000);
    // Carol has sent no other report, but three large ones are being processed.
    expect((await ofCarol()).status).toBe(503);
    release();
    expect((await Promise.all([...held, ...sent])).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await app.post('/api/v2/payments', third, bearer(alice))).status).toBe(201);
    expect((await ofCarol()).status).toBe(201);
    await app.close();
  });

  it('fill no table when repeated under new keys, and are stored once', async () => {
    const proven = large(150_000);
    const stored = (await app.get('/api/v2/me/payments', bearer(alice))).body.payments.length;
    const send = (idempotencyKey: string) =>
      app.post('/api/v2/payments', proven, { ...bearer(alice), 'Idempotency-Key': idempotencyKey });

    const first = randomUUID();
    const answers = await Promise.all([first, first, randomUUID(), randomUUID()].map(send));
    const again = await send(first);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    for (const { body } of [...answers, again])
      expect(body.payment).toMatchObject({ id: proven.id, rawtx: proven.rawtx });
    expect((await app.get('/api/v2/me/payments', bearer(alice))).body.payments).toHaveLength(stored + 1);
    expect(await database.db.select().from(idempotencyKeys)).toEqual([]);
  });
});
