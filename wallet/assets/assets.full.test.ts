import { describe, expect, test, vi } from 'vitest';
import { addressScript } from '../../protocol/bitcoin/address.ts';
import { writeInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { Issuer, one } from '../../testkit/wallet/assets.ts';
import { openWallet } from '../../testkit/wallet/wallet.ts';
import { network, addressOf, held } from './testing-assets.ts';
import { wallet } from '../../testkit/wallet/current.ts';

describe('the limits of stored scripts', () => {
  const content = (bytes: number, lock: Uint8Array) =>
    one(writeInscription('text/plain', new Uint8Array(bytes).fill(65), lock));

  test('scripts are stored up to 400 kB each, 1 MB per transaction and 20 MB in all, and the rest are counted and requested once a day', async () => {
    const run = await openWallet(network, []);
    const issuer = new Issuer(network, 200_000);
    const lock = addressScript(await addressOf(run), 'devnet');
    await issuer.make([], [content(400_000, lock), content(300, lock)]);
    expect(await held(run)).toMatchObject({ ordinals: [{ contentType: 'text/plain' }], tooLarge: 1 });
    await issuer.make(
      [],
      [399_000, 399_000, 399_000].map((bytes) => content(bytes, lock)),
    );
    const { ordinals, tooLarge } = await held(run);
    expect([ordinals.length, tooLarge]).toEqual([3, 2]);
    const asked = vi.spyOn(globalThis, 'fetch');
    expect((await held(run)).tooLarge).toBe(2);
    expect(asked.mock.calls.filter(([url]) => String(url).endsWith('/hex'))).toEqual([]);
    // All coins up to the limit are listed, and a token can still be stored.
    const { oneSatCoins } = await import('../coins/coin-store.ts');
    const [coin] = await oneSatCoins(wallet);
    const { putCoin } = await import('../coins/records.ts');
    for (let i = 0; i < 50; i += 1)
      await run.modules.database.inTransaction(wallet, (tx) =>
        putCoin(tx, { ...coin!, outpoint: `${i}:0`, txid: String(i), script: 'ab'.repeat(390_000) }),
      );
    await issuer.make([], [content(5000, lock)]);
    expect((await held(run)).tooLarge).toBe(3);
    const { id } = await issuer.mint(5n);
    await issuer.make([], [issuer.holds(id, 5n, await addressOf(run))]);
    expect((await held(run)).invalid).toBe(1);
  });
});
