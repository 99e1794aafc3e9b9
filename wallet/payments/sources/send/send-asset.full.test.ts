import { describe, expect, test } from 'vitest';
import { startHost, startNames, type TestHost } from '../../../../testkit/network/hosts.ts';
import { paymentWhere, someone, stored } from '../../../../testkit/wallet/wallet.ts';
import { handlersOf, holder, quoted, amountOf, heldBy, sendThroughDeath } from './testing-send-asset.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

/** Every nth crash point is tested. */
const STRIDE = 3;
/** The stride for deliveries, which take longer. */
const DELIVERED_STRIDE = 9;

describe('an asset that is sent', () => {
  test('an asset arrives once, with its change, after a stop at any crash point', async () => {
    const { run, id } = await holder();
    const wanted = await quoted(run, id, '700', someone());
    run.dieAt(Number.POSITIVE_INFINITY); // crash points count from here on
    await handlersOf(run)['assets/send'](wanted);
    const points = run.crashPoints.length;
    expect(points).toBeGreaterThan(5);
    for (let dieAt = 1; dieAt <= points; dieAt += STRIDE) await sendThroughDeath(dieAt);
  });
});

describe('an asset that is sent to a paymail', () => {
  const BOB = 'bob@pay.example';

  async function withHost(
    satoshis?: readonly number[],
  ): Promise<Awaited<ReturnType<typeof holder>> & { host: TestHost }> {
    const opened = await holder(satoshis);
    await startNames(opened.run.profile);
    const host = await startHost(opened.run.profile);
    host.takeOrdinals();
    return { ...opened, host };
  }

  test('an asset sent to a paymail arrives once and is delivered, after a stop at any crash point', async () => {
    const once = async (dieAt: number) => {
      const { run, id, host } = await withHost();
      const wanted = await quoted(run, id, '700', BOB);
      run.dieAt(dieAt);
      let now = run;
      let asking = wanted;
      for (let requests = 1; ;) {
        const sent = await now.untilDeath(() =>
          handlersOf(now)
            ['assets/send'](asking)
            .catch(({ code }: { code: string }) => code),
        );
        if (sent === 'approval-expired') {
          // The worker crashed before it stored the payment, so the user must review a new quote from the host.
          expect((await stored(now)).payments).toEqual([]);
          requests += 1;
          asking = { ...(await quoted(now, id, '700', BOB)), requestId: `request ${requests}` };
        } else if (sent !== null) {
          if (typeof sent === 'string') throw new Error(sent);
          if (await now.untilDeath(() => paymentWhere(now, sent.id, ({ state }) => state === 'settled'))) break;
        }
        if (now.dead) now = await now.profile.start();
      }
      const points = run.crashPoints.length;
      const { payments, coins } = await stored(now);
      expect(payments.map(({ deliveries }) => deliveries.map(({ state }) => state))).toEqual([['done']]);
      expect(new Set(host.ordinals.taken)).toEqual(new Set([payments[0]?.signed?.txid]));
      const held = await Promise.all(host.ordinals.addresses.map(heldBy));
      expect(held.flat()).toEqual(['700 1']);
      expect(await amountOf(now)).toBe('300');
      expect(coins.filter(({ status }) => status !== 'spent' && status !== 'available')).toEqual([]);
      return points;
    };
    const points = await once(Number.POSITIVE_INFINITY);
    expect(points).toBeGreaterThan(5);
    for (let dieAt = 2; dieAt <= points; dieAt += DELIVERED_STRIDE) await once(dieAt);
  });

  test('an asset sent while its host is down is delivered later', async () => {
    const { run, id, host } = await withHost();
    host.instead.set('take', { status: 503 });
    await handlersOf(run)['assets/send'](await quoted(run, id, '700', BOB));
    const [payment] = (await stored(run)).payments;
    const waiting = await paymentWhere(run, payment?.id ?? '', ({ deliveries }) => deliveries[0]?.attempts === 1);
    expect(waiting.state).toBe('broadcast');
    host.instead.delete('take');
    await run.modules.transition.transition(wallet, waiting.id, 'broadcast', ({ deliveries }) => ({
      deliveries: deliveries.map((one) => ({ ...one, nextAt: 0 })),
    }));
    void run.modules.drive.processPayment(wallet, waiting.id);
    await paymentWhere(run, waiting.id, ({ state }) => state === 'settled');
    expect(host.ordinals.taken).toEqual([waiting.signed?.txid]);
  });

  test.each<[string, (host: TestHost) => void, string]>([
    ['takes no ordinals', ({ capabilities }) => delete capabilities['2cc00c7f93c3'], 'unsupported-recipient'],
    [
      'issues only destinations for money',
      ({ capabilities }) => delete capabilities.cc2154bfa6a2,
      'unsupported-recipient',
    ],
    ['is away', ({ instead }) => instead.set('ordinal', { status: 503 }), 'paymail-unavailable'],
    [
      'issues a script that isn’t an address',
      ({ instead }) => instead.set('ordinal', { body: { outputs: [{ script: '51' }], reference: 'r' } }),
      'paymail-mismatch',
    ],
    ['has no such user', ({ instead }) => instead.set('ordinal', { status: 404, body: {} }), 'unknown-recipient'],
  ])('a host that %s causes a distinct error before anything is signed', async (_, change, code) => {
    const { run, id, host } = await withHost();
    change(host);
    const quote = await handlersOf(run)['assets/quote']({ asset: { token: id, amount: '700' }, to: BOB });
    expect(quote).toMatchObject({ badRecipient: code, recipient: null, feeSatoshis: null, problem: null });
    const wanted = { requestId: 'r', asset: { token: id, units: '700' }, to: BOB, feeSatoshis: '100' };
    await expect(handlersOf(run)['assets/send'](wanted)).rejects.toMatchObject({ code });
    expect((await stored(run)).payments).toEqual([]);
  });
});
