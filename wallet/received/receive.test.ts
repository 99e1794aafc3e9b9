/** Paymail payments are checked, stored, announced and acknowledged, even if the service lies or the worker stops. */
import { describe, expect, test } from 'vitest';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import { writeInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { signInMessage } from '../../protocol/signed-messages/sign-in-message.ts';
import { counted, NOTHING } from '../coins/coin.ts';
import { Issuer, one } from '../../testkit/wallet/assets.ts';
import { type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { ask, give, openWallet, PASSWORD, pay, stored } from '../../testkit/wallet/wallet.ts';
import { answering, type RecordedRequest } from '../../testkit/network/answers.ts';
import {
  BOB,
  SENDER_ADDRESS,
  network,
  serviceScripts,
  hexOf,
  signed,
  said,
  arrive,
  arriveHeld,
  until,
  receive,
  handlers,
  activity,
  satoshis,
  refreshed,
} from './testing-receive.ts';
import { wallet } from '../../testkit/wallet/current.ts';

/** Only every `STRIDE`th crash point is tested. */
const STRIDE = 11;

describe('payments received by paymail', () => {
  test('[S-08] a payment is a coin and an entry of the activity with sender and note, announced once, and acknowledged', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    const one = await arrive([
      { index: 0, satoshis: 3000 },
      { index: 1, satoshis: 4000 },
    ]);
    await receive();
    expect((await stored(workerRun)).coins).toMatchObject(
      [0, 1].map((index) => ({
        chain: 'service',
        index,
        status: 'available',
        seen: false,
        height: null,
        paymentId: null,
      })),
    );
    expect(await satoshis(workerRun)).toBe(7000n);
    expect(await activity(workerRun)).toMatchObject([
      {
        id: one.txid,
        satoshis: '7000',
        status: 'RECEIVED',
        sender: { paymail: BOB, verified: true },
        note: 'For the concert',
        time: Date.UTC(2026, 0, 2, 12),
      },
    ]);
    for (const word of ['BOB@two', 'concert', '7,000']) expect(await activity(workerRun, word)).toHaveLength(1);
    expect(await activity(workerRun, 'carol')).toEqual([]);
    expect(network.arrivals.acknowledged).toEqual([one.id]);
    expect(workerRun.profile.browser.notified).toEqual([one.txid]);
    expect(workerRun.profile.browser.notifications.get(one.txid)).toEqual({
      title: 'Received $0.0035',
      message: `7,000 satoshis\nFrom ${BOB}\nFor the concert`,
    });
    // When the index lists the payment as confirmed, the wallet recognizes it as the same payment.
    await network.mine();
    await refreshed(workerRun);
    expect((await stored(workerRun)).coins).toMatchObject([
      { seen: true, height: expect.any(Number) },
      { seen: true, height: expect.any(Number) },
    ]);
    expect(await activity(workerRun)).toMatchObject([
      { satoshis: '7000', status: 'COMPLETED', sender: { paymail: BOB } },
    ]);
    expect(await satoshis(workerRun)).toBe(7000n);
  });

  test('a payment of one satoshi is stored apart, because it may hold a token', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    await arrive([
      { index: 0, satoshis: 1 },
      { index: 1, satoshis: 600 },
    ]);
    await receive();
    await refreshed(workerRun);
    expect(await workerRun.modules.overview.overview(wallet)).toMatchObject({ satoshis: '600', keptApart: 1 });
  });

  test('a token appears immediately in the notification, the activity and the assets, verified by the wallet', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    const issuer = new Issuer(network);
    const { id, coin } = await issuer.mint(1000n, { dec: 1 });
    const [, forged] = await Promise.all([
      arriveHeld(issuer, 0, [coin], { op: 'transfer', id, amt: 1000n }),
      arriveHeld(issuer, 1, [], { op: 'transfer', id, amt: 77n }, { createdAt: '2026-01-02T13:00:00.000Z' }),
    ]);
    await receive();
    const [fake, token] = await activity(workerRun);
    expect(fake).toMatchObject({ tokenClaim: 'forged' });
    expect(token).toMatchObject({
      asset: { type: 'token', id, symbol: 'GOLD', decimals: 1, units: '1000' },
      assetWord: 'chain',
      sender: { paymail: BOB },
    });
    const { items } = await handlers(workerRun)['activity/export']({ direction: 'received' });
    expect(items).toMatchObject([{ tokenClaim: 'forged' }, { asset: { units: '1000' }, assetWord: 'chain' }]);
    const { notifications } = workerRun.profile.browser;
    expect(notifications.get(token?.txid ?? '')).toEqual({
      title: 'Received \u2066100 \u2068GOLD\u2069\u2069',
      message: `From ${BOB}\nFor the concert`,
    });
    expect(notifications.get(forged.txid)).toBeUndefined();
    expect((await handlers(workerRun)['assets/list']({})).tokens).toMatchObject([{ id, amount: '100', word: 'chain' }]);
    expect(network.arrivals.inbox).toEqual([]);
  });

  test('a payment with more data than the free space is rejected, and delays no others', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    const issuer = new Issuer(network, 200_000);
    const [script = ''] = await serviceScripts(0);
    const large = writeInscription('text/plain', new Uint8Array(400_000), fromHex(script));
    const [made] = await issuer.make([], [one(large)]);
    const bytes = fromHex(await hexOf(made?.txid ?? ''));
    network.arrivals.inbox.push(await said({ bytes, txid: made?.txid ?? '' }, [{ index: 0, satoshis: 1 }]));
    const next = await arrive([{ index: 1, satoshis: 600 }]);
    await receive();
    expect((await stored(workerRun)).coins.map(({ txid }) => txid)).toEqual([next.txid]);
    expect(network.arrivals.acknowledged).toEqual([next.id]);
  });

  test('a payment that the network lacks is broadcast, and can be spent', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    const one = await arrive([{ index: 0, satoshis: 50_000 }], {}, 'its way');
    await receive();
    expect(await network.unspent(SENDER_ADDRESS)).toEqual(
      expect.arrayContaining([expect.objectContaining({ txid: one.txid })]),
    );
    await give(workerRun, { currency: 'BSV', limit: 100_000_000n });
    const answer = await ask(workerRun, 'spend', pay(SENDER_ADDRESS, 20_000), { automatic: true });
    expect(answer).toMatchObject({ status: 'RECEIVED' });
  });

  test('a payment that the scan found first gains only sender and note, and is announced', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    const one = await arrive([{ index: 2, satoshis: 3000 }]);
    await refreshed(workerRun);
    expect(await activity(workerRun)).toMatchObject([{ satoshis: '3000', sender: null, note: null }]);
    const before = (await stored(workerRun)).coins;
    await receive();
    expect((await stored(workerRun)).coins).toEqual(before);
    expect(await activity(workerRun)).toMatchObject([
      {
        satoshis: '3000',
        sender: { paymail: BOB, verified: true },
        note: 'For the concert',
        time: Date.UTC(2026, 0, 2, 12),
      },
    ]);
    expect(workerRun.profile.browser.notified).toEqual([one.txid]);
  });

  test('a payment is found far beyond the derived addresses, up to a limit, and derivation continues from there', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    await arrive([{ index: 900, satoshis: 5000 }]);
    const far = await arrive([{ index: 3000, satoshis: 6000 }]);
    await receive();
    // The balance includes the payment as soon as it is moved to an address that a restore would find.
    await until(async () => expect(await satoshis(workerRun)).toBe(4980n));
    expect(network.arrivals.inbox).toEqual([far]);
    const { nextUnused, derived } = await import('../coins/addresses/addresses.ts');
    expect([await nextUnused(wallet, 'service'), await derived(wallet, 'service')]).toEqual([901, 921]);
  });

  test('payments arrive in several responses, and a transaction that pays several references shows each part with one notification', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    for (const index of [0, 1, 2]) await arrive([{ index, satoshis: 1000 + index }]);
    const parts = [
      { index: 3, satoshis: 2000 },
      { index: 4, satoshis: 3000 },
    ];
    const both = await signed(parts);
    network.arrivals.inbox.push(
      await said(both, parts.slice(0, 1)),
      await said(both, parts.slice(1), { note: 'Other' }),
    );
    network.arrivals.page = 3;
    await receive();
    expect(await satoshis(workerRun)).toBe(8003n);
    expect(network.arrivals).toMatchObject({ inbox: [], asked: 2 });
    expect((await activity(workerRun)).find(({ id }) => id === both.txid)).toMatchObject({
      satoshis: '5000',
      note: 'For the concert',
    });
    expect(workerRun.profile.browser.notified).toHaveLength(4);
    expect(workerRun.profile.browser.notifications.get(both.txid)?.message).toContain('5,000 satoshis');
  });

  test('one of the wallet’s payments to itself is not a receipt, and shows no notification', async () => {
    const workerRun = await openWallet(network, [100_000, 100_000], { account: true });
    await give(workerRun, { currency: 'BSV', limit: 100_000_000n });
    // The second address hasn't been derived yet when it is paid.
    for (const index of [0, 20]) {
      const [script = ''] = await serviceScripts(index);
      const answer = await ask(
        workerRun,
        `self-${index}`,
        pay(writeAddress(fromHex(script).slice(3, 23), 'devnet'), 9000),
        {
          automatic: true,
        },
      );
      if (typeof answer === 'string') throw new Error(answer);
      network.arrivals.inbox.push(
        await said({ bytes: fromHex(answer.rawtx), txid: answer.txid }, [{ index, satoshis: 9000 }], {
          sender: 'alice@localhost',
        }),
      );
    }
    const total = await satoshis(workerRun);
    await receive();
    expect(await satoshis(workerRun)).toBe(total + 9000n);
    expect(network.arrivals.inbox).toEqual([]);
    expect(await activity(workerRun, 'alice@localhost')).toEqual([]);
    expect(workerRun.profile.browser.notified).toEqual([]);
    const { coins, payments } = await stored(workerRun);
    const ours = coins.filter(({ chain }) => chain === 'service');
    expect(ours.map(({ status }) => status)).toEqual(['available', 'available']);
    expect(ours.map(({ paymentId }) => paymentId).sort()).toEqual(payments.map(({ id }) => id).sort());
    for (const { signed: part } of payments)
      expect(part?.ownOutputs.some((key) => coins.find((coin) => coin.outpoint === key)?.chain === 'service')).toBe(
        true,
      );
  });

  test('no notification is shown if the user turned notifications off', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    await handlers(workerRun)['settings/change']({ notify: false });
    await arrive([{ index: 0, satoshis: 3000 }]);
    await receive();
    expect(network.arrivals.inbox).toEqual([]);
    await handlers(workerRun)['settings/change']({ notify: true });
    const [one] = await activity(workerRun);
    network.arrivals.inbox.push(
      await said({ txid: one?.txid ?? '', bytes: fromHex(await hexOf(one?.txid ?? '')) }, [
        { index: 0, satoshis: 3000 },
      ]),
    );
    await receive();
    expect(workerRun.profile.browser.notified).toEqual([]);
  });

  test('payments wait while the wallet is locked, and while the service or the network is down', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    await arrive([{ index: 0, satoshis: 3000 }]);
    await handlers(workerRun)['vault/lock']({});
    await receive();
    network.down = new Set(['service'] as const);
    await workerRun.modules.vault.unlock(wallet, PASSWORD);
    await receive();
    network.down = new Set(['arc'] as const);
    await receive();
    expect(await satoshis(workerRun)).toBe(0n);
    network.down.clear();
    await receive();
    expect(await satoshis(workerRun)).toBe(3000n);
    expect(network.arrivals.inbox).toEqual([]);
  });

  test('a payment whose acknowledgement is lost comes again, and changes nothing', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    const one = await arrive([{ index: 0, satoshis: 3000 }]);
    network.arrivals.acknowledgementFaults = ['refused', 500];
    for (const times of [0, 0, 1]) {
      await receive();
      expect(network.arrivals.acknowledged).toHaveLength(times);
      workerRun.profile.browser.notifications.clear(); // the user dismissed the notification
    }
    network.arrivals.inbox.push(one); // as if the service had lost the acknowledgement
    await receive();
    expect(await satoshis(workerRun)).toBe(3000n);
    expect(await activity(workerRun)).toHaveLength(1);
    expect(workerRun.profile.browser.notified).toEqual([one.txid]);
  });

  test('a payment from one service is not acknowledged to another one that the user selects in the meantime', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    const one = await arrive([{ index: 0, satoshis: 3000 }]);
    const fields = {
      nonce: 'n'.repeat(20),
      issuedAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2026-01-01T00:05:00.000Z',
    };
    const other: { url: string; asked: { url: string }[] } = await answering(({ url, body }: RecordedRequest) => {
      if (url.endsWith('/challenges'))
        return {
          status: 201,
          body: {
            nonce: fields.nonce,
            message: signInMessage({ origin: other.url, ...(JSON.parse(body) as { publicKey: string }), ...fields }),
            expiresAt: fields.expiresAt,
          },
        };
      if (url.endsWith('/sign-in'))
        return {
          body: {
            user: { id: '1', handle: 'ada', paymail: 'ada@other.example', name: 'Ada' },
            accessToken: 'at_other',
            expiresIn: 3600,
          },
        };
      return { body: { acknowledged: 1 } };
    });
    const { writeSettings } = await import('../settings.ts');
    network.before = async (url) => {
      if (url.startsWith('/devnet/arc/v1/tx')) await writeSettings(wallet, { serviceUrl: other.url });
    };
    await receive();
    expect(await satoshis(workerRun)).toBe(3000n);
    expect(other.asked.filter(({ url }) => url.includes('received'))).toEqual([]);
    expect(network.arrivals.inbox).toEqual([one]);
  });
});

describe('invalid responses of the service', () => {
  test('invalid responses may fill whole pages, and later payments are still received', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    const wrong = await arrive([{ index: 0, satoshis: 3000 }], { outputs: [] });
    network.arrivals.inbox = [wrong, { ...wrong, id: crypto.randomUUID() }];
    network.arrivals.page = 1;
    await arrive([{ index: 1, satoshis: 4000 }]);
    await receive();
    expect([await satoshis(workerRun), network.arrivals.inbox.length]).toEqual([4000n, 2]);
  });

  test('an invalid payment is checked again at the alarm, not at every fetch', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    await arrive([{ index: 0, satoshis: 3000 }], {}, 'its way');
    network.faults = [465, 465];
    await receive();
    await receive();
    expect([network.broadcasts.length, await satoshis(workerRun)]).toEqual([1, 0n]);
    workerRun.browserApi.events.onAlarm.tell({ name: 'receive' });
    await until(() => expect(network.broadcasts).toHaveLength(2));
    await receive(true);
    expect(await satoshis(workerRun)).toBe(3000n);
  });

  test('an invalid sender paymail or an overlong note is dropped', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    await arrive([{ index: 0, satoshis: 3000 }], {
      sender: '<b>bob</b>',
      senderVerified: true,
      note: 'x'.repeat(5000),
    });
    await receive();
    expect(await activity(workerRun)).toMatchObject([{ sender: null, note: 'x'.repeat(500) }]);
  });
});

describe('receiving each payment once', () => {
  test('each payment is received once if the worker is killed at any crash point, or acknowledgements are lost', async () => {
    let workerRun = await openWallet(network, [], { account: true });
    const profile = workerRun.profile;
    let index = 0;
    let total = 0n;
    for (let n = 1, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints; n += STRIDE) {
      network.reset();
      const outputs = [
        { index, satoshis: 2000 },
        { index: index + 1, satoshis: 3000 },
      ];
      const one = await arrive(outputs, {}, n % 2 ? 'network' : 'its way');
      [index, total] = [index + 2, total + 5000n];
      await workerRun.modules.database.deleteKey(wallet, 'notifications'); // resets the rate limit
      network.arrivals.acknowledgementFaults = n % 3 === 0 ? ['answer-lost'] : [];
      workerRun.dieAt(n);
      await workerRun.untilDeath(receive);
      if (workerRun.crashPoints.length < n) crashPoints = 0;
      if (workerRun.dead) workerRun = await profile.start();
      await receive();
      expect(network.arrivals.inbox, `crash point ${n}`).toEqual([]);
      expect(await satoshis(workerRun), `crash point ${n}`).toBe(total);
      expect(
        profile.browser.notified.filter((txid) => txid === one.txid),
        `crash point ${n}`,
      ).toHaveLength(1);
      expect((await activity(workerRun, one.txid))[0], `crash point ${n}`).toMatchObject({
        satoshis: '5000',
        sender: { paymail: BOB },
      });
    }
    const { coins } = await stored(workerRun);
    const db = await workerRun.modules.database.database(wallet);
    expect(await db.get('totals', 'coins')).toEqual(
      coins.reduce((sum, coin) => counted(sum, undefined, coin), NOTHING),
    );
  });
});

describe('while a window is open', () => {
  const listen = (workerRun: WorkerRun) => handlers(workerRun)['wallet/listen']({});

  test('received payments show immediately, a broken stream is reopened, and nothing is missed in between', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    await arrive([{ index: 0, satoshis: 1000 }]);
    await listen(workerRun);
    await listen(workerRun);
    await until(async () => expect([await satoshis(workerRun), network.arrivals.listening]).toEqual([1000n, 1]));
    await arrive([{ index: 1, satoshis: 2000 }]);
    network.arrivals.tell();
    await until(async () => expect(await satoshis(workerRun)).toBe(3000n));
    await arrive([{ index: 2, satoshis: 4000 }]); // the stream breaks before the payment is announced
    network.arrivals.cutStreams();
    await until(async () => {
      await listen(workerRun);
      expect([await satoshis(workerRun), network.arrivals.opened]).toEqual([7000n, 2]);
    });
  });

  test('the stream ends half a minute after the window’s last message, and restarts with the next one', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    await listen(workerRun);
    await until(() => expect(network.arrivals.listening).toBe(1));
    await until(() => expect(network.arrivals.listening).toBe(0));
    expect(network.arrivals.opened).toBe(1);
    await listen(workerRun);
    await until(() => expect(network.arrivals.listening).toBe(1));
  });

  test('a stream without data is reopened', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    network.arrivals.silent = true;
    await until(async () => {
      await listen(workerRun); // the window is still open
      expect(network.arrivals.opened).toBe(2);
    });
  });

  test('there is neither a stream nor polling without an account', async () => {
    const workerRun = await openWallet(network, []);
    await listen(workerRun);
    await receive();
    expect(network.arrivals).toMatchObject({ asked: 0, opened: 0 });
  });

  test('a click on a notification opens the wallet', async () => {
    const workerRun = await openWallet(network, [], { account: true });
    const one = await arrive([{ index: 0, satoshis: 1000 }]);
    await receive();
    workerRun.browserApi.events.onClicked.tell(one.txid);
    await until(() =>
      expect(workerRun.profile.browser.openedTabs).toContain(
        `${workerRun.profile.browser.root}extension/popup/index.html`,
      ),
    );
    expect(workerRun.profile.browser.notifications.size).toBe(0);
  });
});
