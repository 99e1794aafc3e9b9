import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { paymentResponse, type Session } from '../../../protocol/http/api.ts';
import { ARC_STATUSES, type ArcStatus } from '../../../protocol/network/arc.ts';
import { reportMessage } from '../../../protocol/signed-messages/report-message.ts';
import { createArcClient } from '../../chain/arc-client.ts';
import { bearer, createTestWallet, register, startTestApp } from '../../testing.ts';
import { followDue, nextDelayMs } from '../../settlement/follow.ts';
import { createTestReport, proveReport } from '../../payment-reports/testing-report.ts';
import { useService } from '../../testing-service.ts';

const PAYMENTS = '/api/v2/payments';

describe('payments', () => {
  const { app, arc, database } = useService();
  let alice: Session;
  let bob: Session;
  const [aliceWallet, bobWallet] = [createTestWallet(), createTestWallet()];

  beforeAll(async () => {
    [alice, bob] = [await register(app, aliceWallet, 'alice'), await register(app, bobWallet, 'bob')];
  });
  beforeEach(() => {
    arc.fault = null;
    arc.before = async () => {};
  });

  const unsent = (amounts = [200_000n]) => createTestReport(amounts, aliceWallet.publicKey);
  const accepted = (amounts?: bigint[]) => {
    const made = unsent(amounts);
    arc.statuses.set(made.txid, 'SEEN_ON_NETWORK');
    return made;
  };
  const count = async () =>
    JSON.stringify(
      (
        (await database.db.execute(
          sql`select (select count(*) from payments) as p, (select count(*) from payment_outputs) as o`,
        )) as any
      ).rows,
    );
  const follow = (url = arc.url) =>
    followDue({
      db: database.db,
      arc: createArcClient(url),
      now: () => new Date(app.clock.ms),
      log: pino({ level: 'silent' }),
      maxDelayMs: 60_000,
      callback: null,
    });
  const codeOf = (answer: { status: number; body: any }) => [answer.status, answer.body.error?.code];

  it('stores a payment, responds the same to a repeated report, and shows it only to its sender', async () => {
    const { report, txid } = accepted([200_000n, 300_000n]);
    const first = await app.post(PAYMENTS, report, bearer(alice));
    expect(first.status).toBe(201);
    expect(paymentResponse.parse(first.body)).toEqual(first.body);
    expect(first.body.payment).toMatchObject({
      id: report.id,
      txid,
      status: 'RECEIVED',
      statusDescription: null,
      amount: '0.20',
      currency: 'USD',
      satoshis: '500000',
      userId: alice.user.id,
      buttonId: 'invoice-1',
      buttonData: '{"order":1}',
      rawtx: report.rawtx,
      createdAt: new Date(app.clock.ms).toISOString(),
    });
    expect(first.body.paymentOutputs.map((o: any) => [o.to, o.satoshis])).toEqual(
      report.outputs.map((o) => [o.to, o.satoshis]),
    );

    const asked = arc.requests;
    const again = await app.post(PAYMENTS, { ...report, id: report.id.toUpperCase() }, bearer(alice));
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(arc.requests).toBe(asked);

    expect((await app.get(`${PAYMENTS}/${report.id}`, bearer(alice))).body).toEqual(first.body);
    expect(codeOf(await app.get(`${PAYMENTS}/${report.id}`, bearer(bob)))).toEqual([404, 'not-found']);
    expect(codeOf(await app.get(`${PAYMENTS}/${report.id}`))).toEqual([401, 'unauthenticated']);
    expect(codeOf(await app.get(`${PAYMENTS}/nothing`, bearer(alice)))).toEqual([404, 'not-found']);
  });

  it('accepts reports of wallets that are older or newer than the service', async () => {
    const { buttonId: _, buttonData: __, ...older } = accepted().report;
    const first = await app.post(PAYMENTS, older, bearer(alice));
    expect([first.status, first.body.payment.buttonId, first.body.payment.buttonData]).toEqual([201, null, null]);
    const { report } = accepted();
    const newer = {
      ...report,
      status: 'COMPLETED',
      later: 'x',
      outputs: report.outputs.map(({ scripts, ...output }) => ({
        ...output,
        later: 1,
        scripts: scripts.map((script) => ({ ...script, later: null })),
      })),
    };
    const second = await app.post(PAYMENTS, newer, bearer(alice));
    const { id, status } = second.body.payment;
    expect([second.status, id, status]).toEqual([201, report.id, 'RECEIVED']);
    expect(JSON.stringify(second.body)).not.toContain('later');
    expect((await app.post(PAYMENTS, report, bearer(alice))).status).toBe(200);
  });

  it('rejects an id or a transaction that belongs to another report', async () => {
    const { report, key } = accepted();
    expect((await app.post(PAYMENTS, report, bearer(alice))).status).toBe(201);
    const stored = await count();
    expect(codeOf(await app.post(PAYMENTS, report, bearer(bob)))).toEqual([409, 'payment-conflict']);
    expect(codeOf(await app.post(PAYMENTS, { ...accepted().report, id: report.id }, bearer(alice)))).toEqual([
      409,
      'payment-conflict',
    ]);
    expect(codeOf(await app.post(PAYMENTS, { ...report, buttonId: 'invoice-2' }, bearer(alice)))).toEqual([
      409,
      'payment-conflict',
    ]);
    for (const [session, { publicKey }] of [
      [alice, aliceWallet],
      [bob, bobWallet],
    ] as const) {
      const again = proveReport({ ...report, id: randomUUID() }, publicKey, key);
      expect(codeOf(await app.post(PAYMENTS, again, bearer(session)))).toEqual([409, 'payment-conflict']);
    }
    expect(await count()).toBe(stored);
  });

  it('accepts a transaction only from its sender', async () => {
    const { report, txid } = accepted();
    const [stored, asked] = [await count(), arc.requests];
    const copied = {
      ...report,
      id: randomUUID(),
      origin: 'https://bob.example',
      buttonId: 'bobs',
      buttonData: '{"order":2}',
    };
    const signed = (id: string, { publicKey } = bobWallet) => bobWallet.sign(reportMessage(id, txid, publicKey));
    const claims: [string, unknown][] = [
      ['the proof copied', copied],
      ['a proof by his own key', { ...copied, inputProof: signed(copied.id) }],
      ['a proof by his own key, in her name', { ...copied, inputProof: signed(copied.id, aliceWallet) }],
    ];
    const first: [string, unknown][] = [
      ['her very report', report],
      ['her report, proved by his own key', { ...report, inputProof: signed(report.id) }],
    ];
    for (const [name, claim] of [...claims, ...first])
      expect(codeOf(await app.post(PAYMENTS, claim, bearer(bob))), name).toEqual([422, 'payment-mismatch']);
    expect([await count(), arc.requests]).toEqual([stored, asked]);

    const own = await app.post(PAYMENTS, report, bearer(alice));
    expect([own.status, own.body.payment.userId, own.body.payment.buttonId]).toEqual([201, alice.user.id, 'invoice-1']);
    const kept = await count();
    for (const [name, claim] of claims)
      expect(codeOf(await app.post(PAYMENTS, claim, bearer(bob))), name).toEqual([422, 'payment-mismatch']);
    expect(await count()).toBe(kept);
    expect((await app.get(`${PAYMENTS}/${report.id}`, bearer(alice))).body).toEqual(own.body);
  });

  it('stores only one of several parallel reports', async () => {
    const { report } = accepted();
    const same = await Promise.all(Array.from({ length: 8 }, () => app.post(PAYMENTS, report, bearer(alice))));
    expect(same.map((a) => a.status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    const contested = accepted();
    const renamed = Array.from({ length: 8 }, () =>
      proveReport({ ...contested.report, id: randomUUID() }, aliceWallet.publicKey, contested.key),
    );
    const others = await Promise.all(renamed.map((one) => app.post(PAYMENTS, one, bearer(alice))));
    expect(others.map((a) => a.status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  it('rejects a payment that the network hasn’t accepted', async () => {
    const stored = await count();
    const expected = (status: ArcStatus) => {
      if (['ACCEPTED_BY_NETWORK', 'SEEN_ON_NETWORK', 'MINED', 'MINED_IN_STALE_BLOCK'].includes(status))
        return [201, undefined];
      return ['SEEN_IN_ORPHAN_MEMPOOL', 'DOUBLE_SPEND_ATTEMPTED', 'REJECTED'].includes(status)
        ? [422, 'not-accepted']
        : [503, 'network-unavailable'];
    };
    const never = unsent();
    expect(codeOf(await app.post(PAYMENTS, never.report, bearer(alice)))).toEqual([422, 'not-accepted']);
    arc.fault = 500;
    expect(codeOf(await app.post(PAYMENTS, accepted().report, bearer(alice)))).toEqual([503, 'network-unavailable']);
    arc.fault = null;
    expect(await count()).toBe(stored);
    for (const status of ARC_STATUSES) {
      const { report, txid } = unsent();
      arc.statuses.set(txid, status);
      expect(codeOf(await app.post(PAYMENTS, report, bearer(alice))), status).toEqual(expected(status));
    }
  });

  it('reports an error if ARC can’t be reached', async () => {
    const cut = await startTestApp(database, { arcUrl: 'http://127.0.0.1:1' });
    expect(codeOf(await cut.post(PAYMENTS, accepted().report, bearer(alice)))).toEqual([503, 'network-unavailable']);
    await cut.close();
  });

  it('rejects altered reports before it queries the network', async () => {
    const { report } = accepted();
    const asked = arc.requests;
    const [output] = report.outputs;
    const { inputProof, ...unproved } = report;
    const cases: [unknown, unknown[]][] = [
      [{ ...report, rawtx: `${report.rawtx}00` }, [422, 'invalid-transaction']],
      [{ ...report, rawtx: report.rawtx.slice(0, -2) }, [422, 'invalid-transaction']],
      [{ ...report, rawtx: report.rawtx.slice(0, -1) }, [400, 'invalid-request']],
      [unproved, [400, 'invalid-request']],
      [{ ...report, inputProof: inputProof.slice(4) }, [400, 'invalid-request']],
      [{ ...report, inputProof: accepted().report.inputProof }, [422, 'payment-mismatch']],
      [{ ...report, id: randomUUID() }, [422, 'payment-mismatch']],
      [{ ...report, amount: '0.11' }, [422, 'payment-mismatch']],
      [{ ...report, amount: 'much' }, [400, 'invalid-amount']],
      [{ ...report, outputs: [{ ...output, satoshis: '200001' }] }, [422, 'payment-mismatch']],
      [{ ...report, outputs: [{ ...output, type: 'USER' }] }, [422, 'payment-mismatch']],
      [{ ...report, outputs: [{ ...output, address: 'nowhere', to: 'nowhere' }] }, [422, 'invalid-recipient']],
      [{ ...report, outputs: [] }, [400, 'invalid-request']],
      [{ ...report, buttonData: 'a\0b' }, [400, 'invalid-request']],
      ['{"id":', [400, 'invalid-request']],
    ];
    for (const [body, expected] of cases)
      expect(codeOf(await app.post(PAYMENTS, body, bearer(alice))), JSON.stringify(body).slice(-200)).toEqual(expected);
    expect(arc.requests).toBe(asked);
  });

  it('accepts the largest bodies only from wallets with an account', async () => {
    const { report } = accepted();
    const padded = (size: number) => JSON.stringify(report) + ' '.repeat(size);
    expect((await app.post(PAYMENTS, padded(5_000_000), bearer(alice))).status).toBe(201);
    expect(codeOf(await app.post(PAYMENTS, padded(26 * 1024 * 1024), bearer(alice)))).toEqual([413, 'too-large']);
    expect(codeOf(await app.post(PAYMENTS, padded(5_300_000)))).toEqual([413, 'too-large']);
    expect(
      codeOf(await app.post(PAYMENTS, padded(26 * 1024 * 1024), { Authorization: 'Bearer wallet_nobody' })),
    ).toEqual([401, 'unauthenticated']);
  });

  it('sets the status to COMPLETED once mined, to FAILED once rejected, and to neither while contested', async () => {
    const [mined, refused, open] = [accepted(), accepted(), accepted()];
    for (const { report } of [mined, refused, open]) await app.post(PAYMENTS, report, bearer(alice));
    arc.statuses.set(mined.txid, 'MINED').set(refused.txid, 'REJECTED').set(open.txid, 'DOUBLE_SPEND_ATTEMPTED');
    while ((await follow()) > 0);
    const status = async ({ report }: typeof mined) =>
      (await app.get(`${PAYMENTS}/${report.id}`, bearer(alice))).body.payment;
    expect(await status(mined)).toMatchObject({ status: 'COMPLETED', statusDescription: null });
    expect(await status(refused)).toMatchObject({
      status: 'FAILED',
      statusDescription: 'The network rejected the transaction.',
    });
    expect((await status(open)).status).toBe('RECEIVED');

    arc.statuses.set(mined.txid, 'REJECTED').set(refused.txid, 'MINED').delete(open.txid);
    app.clock.ms += 60_000;
    while ((await follow()) > 0);
    expect([(await status(mined)).status, (await status(refused)).status, (await status(open)).status]).toEqual([
      'COMPLETED',
      'FAILED',
      'RECEIVED',
    ]);
    const again = await app.post(PAYMENTS, mined.report, bearer(alice));
    expect([again.status, again.body.payment.status]).toEqual([200, 'COMPLETED']);
  });

  it('assigns each due payment to one follower, and to none before its delay has passed', async () => {
    await database.db.execute(sql`update payments set status = 'FAILED', next_check_at = null`);
    const made = [accepted(), accepted(), accepted()];
    for (const { report } of made) await app.post(PAYMENTS, report, bearer(alice));
    const taken = await Promise.all([follow(), follow(), follow(), follow()]);
    expect(taken.reduce((a, b) => a + b)).toBe(3);
    app.clock.ms += 999;
    expect(await follow()).toBe(0);
    app.clock.ms += 1;
    expect(await follow('http://127.0.0.1:1')).toBe(3);
    app.clock.ms += 1_999;
    expect(await follow()).toBe(0);
    app.clock.ms += 1;
    expect(await follow()).toBe(3);
  });
});

describe('nextDelayMs', () => {
  it('doubles up to the limit', () => {
    expect([0, 1, 2, 3, 9, 10_000].map((checks) => nextDelayMs(checks, 300_000))).toEqual([
      1_000, 2_000, 4_000, 8_000, 300_000, 300_000,
    ]);
  });
});
