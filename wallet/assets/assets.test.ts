import { describe, expect, test, vi } from 'vitest';
import { addressScript } from '../../protocol/bitcoin/address.ts';
import { writeInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { MAX_TOKEN_AMOUNT, writeTokenScript } from '../../protocol/assets/bsv21/token.ts';
import { testPng } from '../../protocol/http/testing-picture.ts';
import { Issuer, one } from '../../testkit/wallet/assets.ts';
import { openWallet, PASSWORD, restoreWallet, someone, stored, wordsOf } from '../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { network, handlersOf, addressOf, held } from './testing-assets.ts';
import { wallet } from '../../testkit/wallet/current.ts';

/** Returns the asset of each activity row, or its satoshis if it has no asset, latest first. */
const rows = async (run: WorkerRun) =>
  (await handlersOf(run)['activity/list']({ limit: 10 })).items.map(({ asset, satoshis }) => asset ?? satoshis);
const amounts = async (run: WorkerRun) => (await held(run)).tokens.map(({ id, amount, word }) => [id, amount, word]);

async function send(run: WorkerRun, token: string, amount: string, to: string) {
  const handlers = handlersOf(run);
  const quote = await handlers['assets/quote']({ asset: { token, amount }, to });
  if (quote.problem) return quote.problem.code;
  if (quote.asset?.type !== 'token') return 'no quote';
  return handlers['assets/send']({
    requestId: crypto.randomUUID(),
    asset: { token, units: quote.asset.units },
    to,
    feeSatoshis: quote.feeSatoshis as string,
  });
}

/** Mints a token and sends this amount of it to the wallet. */
async function withToken(run: WorkerRun, amt: bigint, dec = 0) {
  const issuer = new Issuer(network);
  const { id, coin } = await issuer.mint(amt, { dec });
  await issuer.make([coin], [issuer.holds(id, amt, await addressOf(run))]);
  return { issuer, id };
}

describe('tokens', () => {
  test('tokens are found at the wallet’s addresses, traced back to their mint, and are not money', async () => {
    const run = await openWallet(network, [100_000]);
    const { id } = await withToken(run, 12_345n, 2);
    expect(await amounts(run)).toEqual([[id, '123.45', 'chain']]);
    expect((await held(run)).tokens[0]).toMatchObject({ symbol: 'GOLD', supply: '123.45', isUnconfirmed: true });
    expect((await run.modules.store.balance(wallet)).satoshis).toBe(100_000n);
    expect(await rows(run)).toEqual([{ type: 'token', id, symbol: 'GOLD', decimals: 2, units: '12345' }, '100000']);
    // The search for money still finds the address of the other coin.
    const { holdingAddresses } = await import('../scan/history/address-selection.ts');
    expect(await holdingAddresses(wallet, undefined, 1)).toHaveLength(1);
    await network.mine();
    expect((await held(run)).tokens[0]?.isUnconfirmed).toBe(false);
  });

  test('tokens are sent, in part and completely, and the rest is returned', async () => {
    const run = await openWallet(network, [100_000]);
    const { id } = await withToken(run, 1000n, 1);
    await held(run);
    const other = await openWallet(network, []);
    const to = await addressOf(other);
    const sender = await run.profile.start();
    await sender.modules.vault.unlock(wallet, PASSWORD);
    expect(await send(sender, id, '30.5', to)).toMatchObject({ taken: true });
    expect(await amounts(sender)).toEqual([[id, '69.5', 'chain']]);
    expect(await send(sender, id, '69.6', to)).toBe('insufficient-assets');
    expect(await send(sender, id, '69.5', to)).toMatchObject({ taken: true });
    expect(await amounts(sender)).toEqual([]);
    const receiver = await other.profile.start();
    expect(await amounts(receiver)).toEqual([[id, '100', 'chain']]);
  });

  test('tokens of several coins are merged if one isn’t enough', async () => {
    const run = await openWallet(network, [100_000]);
    const issuer = new Issuer(network);
    const { id, coin } = await issuer.mint(100n);
    const to = await addressOf(run);
    await issuer.make([coin], [issuer.holds(id, 30n, to), issuer.holds(id, 30n, to), issuer.holds(id, 40n, to)]);
    await held(run);
    expect(await send(run, id, '95', someone())).toMatchObject({ taken: true });
    expect(await amounts(run)).toEqual([[id, '5', 'chain']]);
  });

  test('tokens are restored from only the words, including the change', async () => {
    const run = await openWallet(network, [100_000]);
    const { id } = await withToken(run, 1000n);
    await held(run);
    expect(await send(run, id, '400', someone())).toMatchObject({ taken: true });
    await network.mine();
    const words = await wordsOf(run);
    const restored = await restoreWallet(network, words);
    await restored.modules.poll.refresh(wallet, { all: true });
    expect(await amounts(restored)).toEqual([[id, '600', 'chain']]);
    expect(await send(restored, id, '600', someone())).toMatchObject({ taken: true });
  });

  test('forged tokens count for nothing, regardless of the index', async () => {
    const run = await openWallet(network, [100_000]);
    const issuer = new Issuer(network);
    const { id } = await issuer.mint(1000n);
    const fake = await issuer.mint(1000n);
    const to = await addressOf(run);
    // Forges tokens: from nothing, from a different token, and beyond the input amount.
    await issuer.make([], [issuer.holds(id, 5n, to)]);
    await issuer.make([fake.coin], [issuer.holds(id, 5n, to)]);
    const real = await issuer.mint(10n);
    await issuer.make([real.coin], [issuer.holds(real.id, 6n, to), issuer.holds(real.id, 5n, to)]);
    const huge = await issuer.mint(1n);
    await issuer.make([huge.coin], [issuer.holds(huge.id, MAX_TOKEN_AMOUNT, to), issuer.holds(huge.id, 2n, to)]);
    const lying = instead(async (url, real) => {
      const answer = await real();
      if (!url.includes('/api/bsv20/outpoint/')) return answer;
      return new Response(JSON.stringify({ ...((await answer.json()) as object), status: 1 }));
    });
    expect(await held(run)).toMatchObject({ tokens: [], invalid: 6, unchecked: 0 });
    lying.mockRestore();
    expect(await send(run, id, '5', someone())).toBe('insufficient-assets');
    // The activity shows forged tokens only as satoshis.
    expect((await rows(run)).filter((row) => typeof row !== 'string')).toEqual([]);
  });

  test('tokens that the wallet can’t trace back count as the index reports, and are marked as such', async () => {
    const run = await openWallet(network, [100_000]);
    const issuer = new Issuer(network);
    const { id, coin } = await issuer.mint(1000n);
    // An output that strict parsers reject, but an index might accept.
    const odd = writeInscription(
      'application/bsv-20',
      new TextEncoder().encode('{"p":"bsv-20","amt":1}'),
      issuer.key.script,
    );
    await issuer.make([coin], [issuer.holds(id, 1000n, await addressOf(run)), one(odd)]);
    expect(await amounts(run)).toEqual([[id, '1000', 'index']]);
    const gone = instead(async (url, real) =>
      url.includes('/api/bsv20/outpoint/') ? new Response('{}', { status: 404 }) : real(),
    );
    await handlersOf(run)['assets/index']({ url: null });
    expect(await held(run)).toMatchObject({ tokens: [], unchecked: 1 });
    expect(await send(run, id, '1', someone())).toBe('insufficient-assets');
    gone.mockRestore();
  });

  test('tokens that an index names but no transaction contains are not stored', async () => {
    const run = await openWallet(network, [100_000]);
    const issuer = new Issuer(network);
    const { coin } = await issuer.mint(1000n);
    const claim = [
      { txid: coin.txid, vout: 0, satoshis: 1 },
      { txid: coin.txid, vout: 7, satoshis: 1 },
    ];
    const lying = instead(async (url, real) =>
      url.includes('/api/txos/') ? new Response(JSON.stringify(claim)) : real(),
    );
    expect(await held(run)).toMatchObject({ tokens: [], ordinals: [], invalid: 0, unchecked: 0 });
    lying.mockRestore();
    expect(await run.modules.store.countOneSatCoins(wallet)).toBe(0);
  });

  test('tokens that another wallet with the same words has sent are no longer listed', async () => {
    const run = await openWallet(network, [100_000]);
    const { id } = await withToken(run, 1000n);
    expect(await amounts(run)).toEqual([[id, '1000', 'chain']]);
    const words = await wordsOf(run);
    const twin = await restoreWallet(network, words);
    await twin.modules.poll.refresh(wallet, { all: true });
    await held(twin);
    expect(await send(twin, id, '1000', someone())).toMatchObject({ taken: true });
    const again = await run.profile.start();
    expect(await amounts(again)).toEqual([]);
  });

  test.each(['spend-elsewhere', 'vanish'] as const)(
    'a token returns if the index lists it again after the event %s',
    async (event) => {
      const run = await openWallet(network, []);
      const { id } = await withToken(run, 1000n);
      await held(run);
      const { changeCoin } = await import('../coins/records.ts');
      const [coin] = (await stored(run)).coins;
      await run.modules.database.inTransaction(wallet, (tx) => changeCoin(tx, coin!, { event }));
      expect((await handlersOf(run)['assets/list']({})).tokens).toEqual([]);
      expect(await amounts(run)).toEqual([[id, '1000', 'chain']]);
    },
  );

  test('tokens with 0 to 18 decimals are shown as they are written', async () => {
    const run = await openWallet(network, [100_000]);
    const issuer = new Issuer(network);
    const lock = addressScript(await addressOf(run), 'devnet');
    const outputs = Array.from({ length: 19 }, (_, dec) =>
      one(writeTokenScript({ op: 'deploy+mint', amt: 1n, dec, sym: String.fromCharCode(65 + dec) }, lock)),
    );
    await issuer.make([], outputs);
    expect((await held(run)).tokens.map(({ amount }) => amount)).toEqual(
      Array.from({ length: 19 }, (_, dec) => (dec === 0 ? '1' : `0.${'1'.padStart(dec, '0')}`)),
    );
  });
});

test('an output that mints a token has one satoshi', async () => {
  const { mintAt } = await import('./read-mint.ts');
  const script = writeTokenScript({ op: 'deploy+mint', amt: 1n, dec: 0 }, addressScript(someone(), 'devnet'));
  const made = (satoshis: bigint) =>
    mintAt({ version: 1, inputs: [], outputs: [{ satoshis, lockingScript: script }], lockTime: 0 }, 'ab', 0);
  expect(made(1n)?.supply).toBe(1n);
  expect([made(0n), made(2n)]).toEqual([null, null]);
});

describe('ordinals', () => {
  test('ordinals are found with their content, and sent to a recipient', async () => {
    const run = await openWallet(network, [100_000]);
    const issuer = new Issuer(network);
    const lock = addressScript(await addressOf(run), 'devnet');
    const [text, picture] = (await issuer.make(
      [],
      [
        one(writeInscription('text/plain', new TextEncoder().encode('Hello\u202E'), lock)),
        one(writeInscription('text/html', new Uint8Array(testPng(2, 2, [1, 2, 3])), lock)),
        one(writeInscription('text/html', new TextEncoder().encode('<script>'), lock)),
        { satoshis: 5n, lockingScript: lock },
      ],
    )) as { txid: string; vout: number }[];
    const { ordinals } = await held(run);
    expect(ordinals.map(({ contentType, origin, outpoint }) => [contentType, origin === outpoint])).toEqual(
      expect.arrayContaining([
        ['text/plain', true],
        ['text/html', true],
      ]),
    );
    const content = (at: { txid: string; vout: number }, vout = at.vout) =>
      handlersOf(run)['assets/content']({ outpoint: `${at.txid}_${vout}` });
    expect(await content(text!)).toEqual({ contentType: 'text/plain', text: 'Hello ', picture: null });
    expect((await content(picture!)).picture).toMatch(/^data:image\/png;base64,/);
    expect(await content(text!, 2)).toEqual({ contentType: 'text/html', text: null, picture: null });

    const to = someone();
    const asset = { ordinal: `${text!.txid}_${text!.vout}` };
    const { feeSatoshis } = await handlersOf(run)['assets/quote']({ asset, to });
    const wanted = { requestId: crypto.randomUUID(), asset, to, feeSatoshis: feeSatoshis as string };
    const { txid } = await handlersOf(run)['assets/send'](wanted);
    const outputs = await (
      await fetch(`${network.url}/devnet/ordinals/api/txos/address/${to}/unspent?bsv20=false`)
    ).json();
    expect(outputs).toMatchObject([{ txid, vout: 0, origin: { outpoint: `${text!.txid}_0` } }]);
    // A request repeated with the same ID returns the same payment. With a different recipient, the request is
    // rejected.
    expect(await handlersOf(run)['assets/send'](wanted)).toMatchObject({ txid });
    await expect(handlersOf(run)['assets/send']({ ...wanted, to: someone() })).rejects.toMatchObject({
      code: 'request-id-reused',
    });
  });

  test('ordinals that an index may count as tokens are not sent, because that could burn them', async () => {
    const run = await openWallet(network, [100_000]);
    const lock = addressScript(await addressOf(run), 'devnet');
    const odd = writeInscription('application/bsv-20', new TextEncoder().encode('{"p":"bsv-20","amt":1}'), lock);
    const [coin] = await new Issuer(network).make([], [one(odd)]);
    const [shown] = (await held(run)).ordinals;
    expect(shown).toMatchObject({ canSend: false });
    const asset = { ordinal: `${coin!.txid}_0` };
    expect((await handlersOf(run)['assets/quote']({ asset, to: someone() })).problem?.code).toBe('insufficient-assets');
  });
});

function instead(answer: (url: string, real: () => Promise<Response>) => Promise<Response>) {
  const real = globalThis.fetch;
  return vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation((url, options) => answer(String(url), () => real(url, options)));
}
