/** A wallet finds and sends the same assets with either API of the 1Sat ordinals index, and forgets a former index. */
import { expect, test, vi } from 'vitest';
import { addressScript } from '../../protocol/bitcoin/address.ts';
import { writeInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { Issuer, one } from '../../testkit/wallet/assets.ts';
import { openWallet, someone } from '../../testkit/wallet/wallet.ts';
import { wallet } from '../../testkit/wallet/current.ts';
import { addressOf, handlersOf, held, network } from './testing-assets.ts';

test.each(['ordinals', '1sat'])('tokens and ordinals are found and sent through /devnet/%s', async (path) => {
  const run = await openWallet(network, [100_000]);
  const handlers = handlersOf(run);
  await handlers['assets/index']({ url: `${network.url}/devnet/${path}` });
  const issuer = new Issuer(network);
  const { id, coin } = await issuer.mint(1000n, { dec: 1 });
  const to = await addressOf(run);
  const [, , origin] = await issuer.make(
    [coin],
    [
      issuer.holds(id, 400n, to),
      issuer.holds(id, 600n, to),
      one(writeInscription('text/plain', new TextEncoder().encode('Hello'), addressScript(to, 'devnet'))),
    ],
  );
  const found = await held(run);
  expect(found.tokens).toMatchObject([{ id, amount: '100', symbol: 'GOLD', word: 'chain', isUnconfirmed: true }]);
  expect(found.ordinals).toMatchObject([{ contentType: 'text/plain', origin: `${origin?.txid}_2` }]);

  const [asset, recipient] = [{ token: id, amount: '30.5' }, someone()];
  const quote = await handlers['assets/quote']({ asset, to: recipient });
  expect(quote.problem).toBeNull();
  const sent = await handlers['assets/send']({
    requestId: crypto.randomUUID(),
    asset: { token: id, units: '305' },
    to: recipient,
    feeSatoshis: quote.feeSatoshis as string,
  });
  expect(sent).toMatchObject({ taken: true });
  await network.mine();
  const left = await held(run);
  expect(left.tokens).toMatchObject([{ id, amount: '69.5', isUnconfirmed: false }]);
  expect(left.ordinals).toHaveLength(1);
});

test('data from an ordinals index that arrives after the user has chosen another one isn’t stored', async () => {
  const run = await openWallet(network, [100_000]);
  const issuer = new Issuer(network);
  const { id, coin } = await issuer.mint(1000n);
  // The wallet can't trace this token itself.
  const invalid = new TextEncoder().encode('{"p":"bsv-20","amt":1}');
  const odd = one(writeInscription('application/bsv-20', invalid, issuer.key.script));
  await issuer.make([coin], [issuer.holds(id, 1000n, await addressOf(run)), odd]);
  const real = globalThis.fetch;
  const choosing = vi.fn(() => handlersOf(run)['assets/index']({ url: `${network.url}/devnet/other` }));
  vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => {
    const response = await real(...args);
    if (String(args[0]).includes('/api/bsv20/outpoint/')) await choosing();
    return response;
  });
  expect(await held(run)).toMatchObject({ tokens: [], unchecked: 1 });
  expect(choosing).toHaveBeenCalledOnce();
});

test('data from a former ordinals index doesn’t remain if the worker is stopped at any point of the choice', async () => {
  const url = `${network.url}/devnet/1sat`;
  for (let n = 1; ; n += 1) {
    const run = await openWallet(network, []);
    await (await run.modules.database.database(wallet)).put('assets', { outpoint: 'a', origin: 'b' });
    run.dieAt(n);
    await run.untilDeath(() => handlersOf(run)['assets/index']({ url }));
    if (!run.dead) break;
    const next = await run.profile.start();
    const { ordinalsUrl } = await handlersOf(next)['settings/read']({});
    const kept = await (await next.modules.database.database(wallet)).getAll('assets');
    expect(kept).toEqual(ordinalsUrl === url ? [{ outpoint: 'a' }] : [{ outpoint: 'a', origin: 'b' }]);
  }
});
