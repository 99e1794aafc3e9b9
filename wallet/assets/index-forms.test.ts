/** A wallet finds and sends the same assets with either API of the 1Sat ordinals index. */
import { expect, test } from 'vitest';
import { addressScript } from '../../protocol/bitcoin/address.ts';
import { writeInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { Issuer, one } from '../../testkit/wallet/assets.ts';
import { openWallet, someone } from '../../testkit/wallet/wallet.ts';
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
