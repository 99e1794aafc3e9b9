import { describe, expect, test } from 'vitest';
import { paymentReport } from '../../../protocol/http/api.ts';
import { readToken } from '../../../protocol/assets/bsv21/token.ts';
import { addressScript } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex } from '../../../protocol/bitcoin/transaction.ts';
import { checkReport } from '../../../server/payment-reports/check-report.ts';
import { startNames } from '../../../testkit/network/hosts.ts';
import {
  approvalOf,
  approvals,
  approve,
  ask,
  decide,
  give,
  pay,
  paymentView,
  paymentWhere,
  someone,
} from '../../../testkit/wallet/wallet.ts';
import {
  network,
  handlersOf,
  asset,
  tokenOptions,
  holder,
  amountsOf,
  heldBy,
  paid,
  payThroughDeath,
  namingHost,
  withHost,
  withWords,
} from './testing-pay-token.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { timeToRead } from '../../../testkit/wallet/clock.ts';

/** Every nth crash point is tested. */
const STRIDE = 17;

describe('a payment in tokens', () => {
  test('a payment from several coins pays each recipient the requested amount of tokens or money', async () => {
    const { run, id } = await holder([300n, 300n, 400n], 0);
    const [ann, bob, shop] = [someone(), someone(), someone()];
    const money = { to: shop, amount: '0.0001', currency: 'BSV' };
    const { view, payment } = await paid(run, tokenOptions(asset(id, '400', ann), money, asset(id, '350.00', bob)));
    expect(view.asset).toMatchObject({ units: '750', held: '1000' });
    expect(view.outputs.map(({ to, satoshis }) => [to, satoshis])).toEqual([
      [ann, '1'],
      [shop, '10000'],
      [bob, '1'],
    ]);
    // `amount` includes only the money, and `satoshis` the satoshis of all outputs.
    expect(payment).toMatchObject({ amount: '0.0001', currency: 'BSV', satoshis: '10002' });
    expect([await heldBy(ann), await heldBy(bob)]).toEqual([['400 1'], ['350 1']]);
    expect(await amountsOf(run)).toEqual(['250']);
    expect(await network.unspent(shop)).toMatchObject([{ satoshis: 10_000 }]);
  });

  test('a token named in paymail form is resolved at the paymail’s domain, regardless of the button’s service', async () => {
    const { run, id } = await holder();
    await startNames(run.profile);
    const lies = await namingHost(run, 'https://shop.example', `${'ab'.repeat(32)}_0`);
    const trusted = await namingHost(run, 'https://trusted.example', id);
    const service = 'https://shop.example';
    const { view } = await paid(run, tokenOptions(asset('gold@trusted.example', '1')), { service });
    expect(view.asset).toMatchObject({ id, name: 'gold@trusted.example', namedBy: 'trusted.example' });
    expect(lies.asked.filter(({ url }) => url.includes('assets'))).toEqual([]);
    // Without the asset capability, the domain's host can't name any asset.
    delete trusted.capabilities.asset;
    const { forgetHost } = await import('../../paymail/discovery.ts');
    forgetHost(wallet, { client: 'https://shop.example', domain: 'trusted.example', origin: '', capabilities: {} });
    expect(
      await ask(run, 'none', tokenOptions(asset('gold@trusted.example', '1')), {
        service,
        origin: 'https://b.example',
      }),
    ).toBe('unknown-asset');
  });

  test('a token named by its alias is resolved at the button’s service, and the payment contains its paymail', async () => {
    const { run, id } = await holder();
    await startNames(run.profile);
    await namingHost(run, 'https://shop.example', id);
    const service = 'https://shop.example';
    for (const alias of ['garden', 'gold']) {
      const { view, payment } = await paid(run, tokenOptions(asset(alias, '1')), { service });
      const name = `${alias}@shop.example`;
      expect(view.asset).toMatchObject({ id, name, namedBy: 'shop.example' });
      expect(payment).toMatchObject({ currency: name, outputs: [{ currency: name, token: { id, units: '10' } }] });
    }
    // Even if a service lists currencies as aliases, it can't redefine them as tokens.
    for (const code of ['usd', 'bsv', 'xaf'])
      expect(await ask(run, code, tokenOptions(asset(code, '1')), { service, origin: `https://${code}.example` })).toBe(
        'unknown-asset',
      );
  });

  test('an alias that its service assigns to another domain is rejected unless that domain confirms it', async () => {
    const { run, id } = await holder();
    await startNames(run.profile);
    await namingHost(run, 'https://shop.example', id, 'trusted.example');
    const service = 'https://shop.example';
    const trusted = await namingHost(run, 'https://trusted.example', `${'ab'.repeat(32)}_0`);
    expect(await ask(run, 'a lie', tokenOptions(asset('garden', '1')), { service })).toBe('unknown-asset');
    trusted.instead.clear();
    await namingHost(run, 'https://trusted.example', id);
    const { view } = await paid(run, tokenOptions(asset('garden', '1')), { service, origin: 'https://c.example' });
    expect(view.asset).toMatchObject({ id, name: 'garden@trusted.example', namedBy: 'shop.example' });
  });

  test('a payment that exceeds the balance shows the balance, and can’t be approved', async () => {
    const { run, id, issuer } = await holder();
    void ask(run, 'the request', tokenOptions(asset(id, '100.1')));
    const approval = await approvalOf(run);
    expect(await paymentView(run, approval)).toMatchObject({
      asset: { held: '1000', units: '1001' },
      problem: { code: 'insufficient-assets' },
      feeSatoshis: null,
    });
    await expect(decide(run, approval)).rejects.toMatchObject({ code: 'insufficient-assets' });
    // Forged and unverified coins don't count toward the balance.
    const { receiveAddress } = await run.modules.overview.overview(wallet);
    await issuer.make([], [issuer.holds(id, 5000n, receiveAddress)]);
    await handlersOf(run)['assets/refresh']({});
    expect(await paymentView(run, approval)).toMatchObject({
      asset: { held: '1000' },
      problem: { code: 'insufficient-assets' },
    });
  });

  test('a window shows that only the index vouches for a token', async () => {
    const { run, id } = await holder();
    const db = await run.modules.database.database(wallet);
    for (const record of await db.getAll('assets'))
      if (record.verdict) await db.put('assets', { ...record, verdict: { ...record.verdict, word: 'index' } });
    void ask(run, 'the request', tokenOptions(asset(id, '1')));
    expect((await paymentView(run, await approvalOf(run))).asset?.word).toBe('index');
  });

  test('the report of a token payment matches its transaction', async () => {
    const { run, id } = await holder([1000n], 1, true);
    const { payment } = await paid(run, tokenOptions(asset(id, '2.5')));
    if (typeof payment === 'string') throw new Error(payment);
    const record = await paymentWhere(run, payment.id, ({ report }) => report.state === 'done');
    const report = paymentReport.parse(network.reports.get(payment.id));
    // The report omits the inputs, because signatures can't prove their values.
    expect(report.inputs).toBeUndefined();
    const { identity } = await run.modules.vault.publicKeys(wallet);
    const terms = {
      network: 'devnet',
      publicKey: identity,
      baseUrl: network.url,
      paymailDomain: 'localhost',
      destinations: new Map(),
    } as const;
    expect(checkReport(report, { ...terms, asset: { id: 'x', tokenId: id, decimals: 1 } })).toMatchObject({
      satoshis: 1n,
      token: { id, units: 25n, assetId: 'x' },
    });
    const held = parseTransactionHex(record.signed?.rawtx ?? '').outputs.flatMap(
      ({ lockingScript }) => readToken(lockingScript) ?? [],
    );
    expect(held.map(({ amt }) => amt).toSorted()).toEqual([25n, 975n]);
  });
});

describe('coin selection for tokens', () => {
  test('coins with a history that the wallet has verified are selected if they suffice', async () => {
    const chosen = await withWords([600n, 400n, 90n], [5000n, 70n]);
    // The coin with the exact amount isn't used, because only the index vouches for it. A forged coin would destroy the
    // tokens of all coins spent with it.
    expect(await chosen(70n)).toEqual([90n]);
    expect(await chosen(1000n)).toEqual([600n, 400n]);
    expect(await chosen(1090n)).toEqual([600n, 400n, 90n]);
  });
});

describe('tokens are never paid without a window', () => {
  test('a site’s allowance for swipes or automatic payments never pays tokens', async () => {
    const { run, id } = await holder();
    await give(run, { kind: 'swipe', limit: 1_000_000n, currency: 'BSV' });
    await give(run, { kind: 'automatic', limit: 1_000_000n, currency: 'BSV' });
    for (const automatic of [false, true]) {
      // The request also includes money, which the allowance would cover on its own.
      const both = tokenOptions(asset(id, '1'), ...pay(someone(), 1000).outputs);
      const answer = ask(run, `automatic ${automatic}`, both, { automatic });
      const approval = await approvalOf(run);
      expect(await paymentView(run, approval)).toMatchObject({ allowance: null, allowanceRates: [] });
      await decide(run, approval, 'refuse');
      for (const { windowId } of approvals(run)) run.profile.browser.closeWindow(windowId);
      expect(await answer).toBe('refused');
    }
    expect(await ask(run, 'money', pay(someone(), 1000))).toMatchObject({ satoshis: '1000' });
  });

  test('no allowance is granted with a token payment', async () => {
    const { run, id } = await holder();
    void ask(run, 'the request', tokenOptions(asset(id, '1')));
    const approval = await approvalOf(run);
    const { feeSatoshis } = await paymentView(run, approval);
    const terms = { limit: 100_000n, currency: 'BSV', period: 'month', perPayment: null } as never;
    await timeToRead();
    await expect(approve(run, approval, { fee: BigInt(feeSatoshis ?? 0), terms })).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });
});

describe('a paymail', () => {
  const scriptOf = (address: string) => toHex(addressScript(address, 'devnet'));

  test('a paymail is paid once, and its host gets that transaction, after a stop at any crash point', async () => {
    const points = await payThroughDeath(Number.POSITIVE_INFINITY);
    expect(points).toBeGreaterThan(20);
    for (let dieAt = 3; dieAt <= points; dieAt += STRIDE) await payThroughDeath(dieAt);
  });

  test.each<[string, object]>([
    ['two scripts', { outputs: [{ script: scriptOf(someone()) }, { script: scriptOf(someone()) }], reference: 'r' }],
    ['a script of its own', { outputs: [{ script: '51' }], reference: 'r' }],
    ['no reference', { outputs: [{ script: scriptOf(someone()) }] }],
  ])('a paymail whose host returns %s is not paid', async (_, body) => {
    const { run, id, host } = await withHost();
    host.instead.set('ordinal', { body });
    expect(await ask(run, 'the request', tokenOptions(asset(id, '5', 'bob@pay.example')))).toBe('paymail-mismatch');
  });
});
