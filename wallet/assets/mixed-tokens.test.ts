/** Tokens that only the ordinals index considers valid, next to tokens that the wallet has verified. */
import { expect, test, vi } from 'vitest';
import { writeInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { Issuer, one } from '../../testkit/wallet/assets.ts';
import { openWallet, someone, stored } from '../../testkit/wallet/wallet.ts';
import { addressOf, handlersOf, held, network } from './testing-assets.ts';

async function holder() {
  const run = await openWallet(network, [100_000]);
  const issuer = new Issuer(network);
  const { id, coin } = await issuer.mint(100n);
  const to = await addressOf(run);
  await issuer.make([coin], [issuer.holds(id, 100n, to)]);
  // Forged from nothing. The wallet can't judge it, because the transaction has an output that strict parsers reject.
  const odd = writeInscription(
    'application/bsv-20',
    new TextEncoder().encode('{"p":"bsv-20","amt":1}'),
    issuer.key.script,
  );
  const [forged] = await issuer.make([], [issuer.holds(id, 50n, to), one(odd)]);
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, options) => {
    const answer = await real(url, options);
    if (!String(url).includes(`/api/bsv20/outpoint/${forged!.txid}`)) return answer;
    return new Response(JSON.stringify({ ...((await answer.json()) as object), status: 1, id, amt: '50' }));
  });
  return { run, id, forged: forged! };
}

test('verified tokens are never spent together with tokens that only the index considers valid', async () => {
  const { run, id, forged } = await holder();
  expect((await held(run)).tokens).toMatchObject([{ id, amount: '150', word: 'index' }]);
  const handlers = handlersOf(run);
  const to = someone();
  const quote = (amount: string) => handlers['assets/quote']({ asset: { token: id, amount }, to });
  expect(await quote('120')).toMatchObject({ problem: { code: 'insufficient-assets' } });
  const { asset, feeSatoshis } = await quote('100');
  await handlers['assets/send']({
    requestId: crypto.randomUUID(),
    asset: { token: id, units: (asset as { units: string }).units },
    to,
    feeSatoshis: feeSatoshis as string,
  });
  const [payment] = (await stored(run)).payments;
  expect(payment?.signed?.inputs).not.toContain(`${forged.txid}:0`);
});
