/** Tests token payments that a page requests, through the whole wallet. */
import { describe, expect, test } from 'vitest';
import { writeInscription } from '../../../protocol/assets/bsv21/inscription.ts';
import { writeTokenScript } from '../../../protocol/assets/bsv21/token.ts';
import { addressScript } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import type { RequestedOutput } from '../../../protocol/payments/payment.ts';
import { startNames } from '../../../testkit/network/hosts.ts';
import {
  approvalOf,
  approvals,
  ask,
  decide,
  paymentView,
  paymentWhere,
  someone,
  stored,
} from '../../../testkit/wallet/wallet.ts';
import { newPayment } from '../start.ts';
import { maySwipe } from '../sources/page/trusted-swipe.ts';
import {
  network,
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

describe('a payment in tokens', () => {
  test('a payment pays the amount, and the same transaction returns the change', async () => {
    const { run, id } = await holder();
    const to = someone();
    const { view, payment } = await paid(run, tokenOptions(asset(id, '30.5', to)));
    expect(view).toMatchObject({
      asset: { id, symbol: 'GOLD', decimals: 1, units: '305', held: '1000', word: 'chain', name: id },
      outputs: [{ type: 'ADDRESS', to, amount: '30.5', token: { id, units: '305' }, scripts: [], own: false }],
      satoshis: '1',
      allowance: null,
      allowanceRates: [],
      problem: null,
    });
    expect(view.asset?.namedBy).toBeUndefined();
    expect(payment).toMatchObject({ amount: '30.5', currency: id, satoshis: '1', amountUsd: null });
    expect(await heldBy(to)).toEqual(['305 1']);
    // The change is spendable immediately, because the wallet itself created and verified it.
    const all = await paid(run, tokenOptions(asset(id, '69.5', to)));
    expect(all.view.asset).toMatchObject({ held: '695', word: 'chain' });
    expect((await heldBy(to)).toSorted()).toEqual(['305 1', '695 1']);
    expect(await amountsOf(run)).toEqual([]);
  });

  test('a payment can name an asset of the wallet’s service, and the window shows which service named it', async () => {
    const { run, id } = await holder();
    const { host, hostname } = new URL(run.profile.serviceUrl);
    const at = (alias: string) => `${alias}@${hostname}`;
    const uuid = '1f0c7a52-6f0e-4f1e-9f43-0a1b2c3d4e5f';
    const known = {
      id: uuid,
      tokenId: id,
      paymailAlias: 'gold',
      paymailDomain: hostname,
      decimals: 17,
      name: 'Lies',
    };
    network.namedAssets.set(uuid, known).set(at('gold'), known).set(at('mine'), known);
    for (const name of [at('gold'), uuid]) {
      const { view, payment } = await paid(run, tokenOptions(asset(name, '1')));
      // Decimals and symbol come from the mint transaction, not from the service.
      expect(view.asset).toMatchObject({ id, symbol: 'GOLD', decimals: 1, units: '10', name, namedBy: host });
      expect(payment).toMatchObject({ currency: name, outputs: [{ currency: name, token: { id, units: '10' } }] });
    }
    expect(await ask(run, 'of another', tokenOptions(asset(at('mine'), '1')))).toBe('unknown-asset');
    expect(await ask(run, 'of nobody', tokenOptions(asset(at('none'), '1')))).toBe('unknown-asset');
    network.down.add('service');
    expect(await ask(run, 'while it is down', tokenOptions(asset(at('gold'), '1')))).toBe('asset-unavailable');
    expect((await stored(run)).requests).toEqual([]);
  });

  test('an asset given by a service’s asset ID is resolved at the button’s service', async () => {
    const { run, id } = await holder();
    await startNames(run.profile);
    await namingHost(run, 'https://pay.example', id);
    const service = 'https://pay.example';
    const { view } = await paid(run, tokenOptions(asset('1f0c7a52-6f0e-4f1e-9f43-0a1b2c3d4e5f', '1')), { service });
    expect(view.asset).toMatchObject({ id, namedBy: 'pay.example' });
    const { hostname } = new URL(run.profile.serviceUrl);
    expect(await ask(run, 'own', tokenOptions(asset(`gold@${hostname}`, '1')), { service })).toBe('unknown-asset');
  });

  test('an output whose script transfers a token is rejected next to an asset, because excess outputs lose all tokens', async () => {
    const { run, id } = await holder();
    const claim = (script: Uint8Array) => ({ script: toHex(script), amount: '0.00000001', currency: 'BSV' });
    const lock = addressScript(someone(), 'devnet');
    const scripts = [
      writeTokenScript({ op: 'transfer', id, amt: 1n }, lock),
      writeInscription('application/bsv-20', new TextEncoder().encode('{"what an index reads in it": "?"}'), lock),
    ];
    for (const [i, script] of scripts.entries())
      expect(
        await ask(run, `claim ${i}`, tokenOptions(asset(id, '1'), claim(script)), { origin: `https://a${i}.example` }),
      ).toBe('invalid-recipient');
    const noted = { ...tokenOptions(asset(id, '1')), opReturn: 'application/bsv-20' };
    expect(await ask(run, 'data', noted, { origin: 'https://data.example' })).toBe('invalid-recipient');
  });

  const REFUSED: [string, (id: string) => RequestedOutput[], string][] = [
    ['more decimals than the token has', (id) => [asset(id, '1.25')], 'amount-too-precise'],
    ['nothing', (id) => [asset(id, '0.0')], 'invalid-amount'],
    ['more than there can be', (id) => [asset(id, '1844674407370955161.6')], 'invalid-amount'],
    [
      'more than there can be, together',
      (id) => [asset(id, '999999999999999999'), asset(id, '999999999999999999')],
      'invalid-amount',
    ],
    ['two assets', (id) => [asset(id, '1'), asset(`${'ab'.repeat(32)}_0`, '1')], 'mixed-currencies'],
    ['two currencies beside it', (id) => [asset(id, '1'), asset('USD', '1'), asset('EUR', '1')], 'mixed-currencies'],
    ['a token that nobody minted', () => [asset(`${'ab'.repeat(32)}_0`, '1')], 'unknown-asset'],
    ['an output that mints nothing', (id) => [asset(id.replace(/_0$/, '_1'), '1')], 'unknown-asset'],
    ['a script that is nobody’s address', (id) => [asset(id, '1', 'OP_1')], 'invalid-recipient'],
    ['a script with a variable', (id) => [asset(id, '1', '#{x} OP_DROP OP_1')], 'invalid-operation'],
    [
      'an address of another network',
      (id) => [asset(id, '1', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')],
      'invalid-recipient',
    ],
  ];
  test('an impossible payment is rejected with the reason, and stores nothing', async () => {
    const { run, id } = await holder();
    for (const [what, outputs, code] of REFUSED)
      // Each case uses a separate site, because a site is limited to a few requests a minute.
      expect(await ask(run, what, tokenOptions(...outputs(id)), { origin: `https://${code}.example` }), what).toBe(
        code,
      );
    expect(await stored(run)).toMatchObject({ payments: [], requests: [] });
    expect(approvals(run)).toEqual([]);
  });

  test('a payment to an address’s script shows the address and pays it', async () => {
    const { run, id } = await holder();
    const to = someone();
    const script = toHex(addressScript(to, 'devnet'));
    const { view } = await paid(run, { outputs: [{ script, amount: '1', currency: id }] });
    expect(view.outputs).toMatchObject([{ type: 'SCRIPT', scripts: [{ kind: 'address', address: to, data: [] }] }]);
    expect(await heldBy(to)).toEqual(['10 1']);
  });
});

describe('coin selection for tokens', () => {
  test('coins that only the index vouches for are never spent with verified coins', async () => {
    const chosen = await withWords([600n, 400n], [5000n, 1200n]);
    expect(await chosen(1001n)).toEqual([1200n]);
    expect(await chosen(2000n)).toEqual([5000n]);
    expect(await chosen(6000n)).toEqual([5000n, 1200n]);
    await expect(chosen(6201n)).rejects.toMatchObject({ code: 'insufficient-assets' });
  });

  test('a coin found to be forged after the window showed the payment is not spent', async () => {
    const { run, id } = await holder([500n, 1000n], 0);
    const to = someone();
    const options = tokenOptions(asset(id, '300', to));
    const answer = ask(run, 'the request', options);
    await paymentView(run, await approvalOf(run));
    const db = await run.modules.database.database(wallet);
    const { spendableTokens } = await import('./token-coins.ts');
    const forged = (await spendableTokens(wallet, id)).find(({ amt }) => amt === 500n);
    if (!forged?.record) throw new Error('no coin');
    await db.put('assets', { ...forged.record, verdict: { state: 'invalid', word: 'chain', at: wallet.now() } });
    await decide(run, await approvalOf(run));
    expect(await answer).toMatchObject({ status: 'RECEIVED' });
    expect((await stored(run)).payments[0]?.signed?.inputs).not.toContain(forged.coin.outpoint);
  });
});

describe('tokens are never paid without a window', () => {
  test('a swipe or another request without a prompt pays no tokens', async () => {
    const { run, id } = await holder();
    void ask(run, 'the request', tokenOptions(asset(id, '1')));
    await approvalOf(run);
    const [record] = (await stored(run)).payments;
    if (!record) throw new Error('no payment');
    expect(maySwipe(record)).toBe(false);
    const { asset: _, ...ofMoney } = record.quote;
    expect(maySwipe({ ...record, quote: ofMoney })).toBe(true);
    const unasked = { from: {} as never, feeLimit: null, first: {} as never };
    await expect(
      run.modules.commit.commitPayment(wallet, newPayment(wallet, { ...record }), unasked),
    ).rejects.toMatchObject({
      code: 'not-paid',
    });
  });
});

describe('a paymail', () => {
  test('a paymail is paid once, and its host gets that transaction, if the worker stops before the broadcast', async () => {
    const points = await payThroughDeath('before POST /devnet/arc/v1/tx');
    expect(points).toBeGreaterThan(0);
  });

  test('a paymail is paid if its host accepts ordinals, and the host gets the transaction', async () => {
    const { run, id, host } = await withHost();
    const { view, payment } = await paid(run, tokenOptions(asset(id, '5', 'bob@pay.example')));
    expect(view.outputs).toMatchObject([
      { type: 'PAYMAIL', host: { paymail: 'bob@pay.example', host: 'pay.example' }, scripts: [] },
    ]);
    expect(await heldBy(host.ordinals.addresses[0] ?? '')).toEqual(['5 1']);
    if (typeof payment === 'string') throw new Error(payment);
    const [delivery] = (await paymentWhere(run, payment.id, ({ deliveries }) => deliveries[0]?.state === 'done'))
      .deliveries;
    expect(delivery).toMatchObject({ state: 'done' });
    expect(host.asked.find(({ url }) => url.startsWith('/ordinal'))?.body).toBe('{"ordinals":1}');
    expect(host.asked.some(({ url }) => url.startsWith('/p2p') || url.startsWith('/destination'))).toBe(false);
  });

  test('a paymail is not paid if its host doesn’t accept ordinals', async () => {
    const { run, id, host } = await withHost();
    delete host.capabilities['2cc00c7f93c3'];
    expect(await ask(run, 'the request', tokenOptions(asset(id, '5', 'bob@pay.example')))).toBe(
      'unsupported-recipient',
    );
  });
});
