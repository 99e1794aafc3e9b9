import { describe, expect, test, vi } from 'vitest';
import { type Asset } from '../../../../protocol/assets/assets.ts';
import { addressScript } from '../../../../protocol/bitcoin/address.ts';
import { writeTokenScript } from '../../../../protocol/assets/bsv21/token.ts';
import { Issuer, one } from '../../../../testkit/wallet/assets.ts';
import { paymentWhere, stored } from '../../../../testkit/wallet/wallet.ts';
import { network, owner, mint, agree, restored, mintThroughDeath } from './testing-mint.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

/** Every nth crash point is tested. */
const STRIDE = 9;

describe('an asset of the wallet’s service', () => {
  test.each<[string, unknown]>([
    ['another asset', { id: '00000000-0000-4000-8000-000000000000' }],
    ['no supply', { initialSupply: '0' }],
    ['more than a token can be', { initialSupply: '18446744073709551616' }],
    ['a supply that is no number', { initialSupply: '1e3' }],
    ['half a decimal', { decimals: 0.5 }],
    ['a negative supply', { decimals: -1 }],
    ['more decimals than a token has', { decimals: 19 }],
    ['an invisible name', { name: '\u200b\u200b\u200b\u200b\u200b' }],
    ['a name that reverses the following text', { name: 'Gar\u202eden hours' }],
    ['another protocol', { protocol: 'bsv-20' }],
  ])('an asset whose description has %s is not minted', async (_, lie) => {
    const run = await owner(lie as Partial<Asset>);
    expect(await mint(run)).toBe('service-unavailable');
    expect([run.profile.browser.windowsOpened, network.broadcasts]).toEqual([0, []]);
  });
});

describe('a mint', () => {
  test('a mint is made and reported once after a stop at any crash point', async () => {
    const points = await mintThroughDeath(Number.POSITIVE_INFINITY);
    expect(points).toBeGreaterThan(10);
    for (let dieAt = 1; dieAt <= points; dieAt += STRIDE) await mintThroughDeath(dieAt);
  });

  test.each(['asset-mismatch', 'asset-conflict', 'not-found', 'invalid-transaction'])(
    'an asset whose report is permanently rejected (%s) is not minted a second time',
    async (code) => {
      const run = await owner();
      network.refuseReports = code;
      const answer = mint(run);
      await agree(run);
      const tokenId = await answer;
      const [payment] = (await stored(run)).payments;
      await paymentWhere(
        run,
        payment?.id ?? '',
        ({ state, report }) => state === 'settled' && report.state === 'refused',
      );
      expect(await mint(run)).toBe(tokenId);
      expect(network.broadcasts).toHaveLength(1);
    },
  );
});

describe('a wallet that was restored before the service had the report', () => {
  test('a restored wallet mints again once the service reports that the token belongs to another asset', async () => {
    const { run, tokenId } = await restored();
    network.refuseReports = 'asset-conflict';
    const answer = mint(run);
    await agree(run);
    expect(await answer).toBe('asset-conflict');
    network.refuseReports = null;
    const again = mint(run);
    expect((await agree(run)).earlier).toBeUndefined();
    expect(await again).not.toBe(tokenId);
    expect(network.mints).toMatchObject([{ tokenId: await again }]);
  });

  test('a restored wallet finds its token even if that takes several refreshes and other tokens have the same name', async () => {
    const { run, tokenId } = await restored();
    const { receiveAddress } = await run.modules.overview.overview(wallet);
    const lock = addressScript(receiveAddress, 'devnet');
    const token = { op: 'deploy+mint', amt: 100_050n, dec: 2, sym: 'Garden hours' } as const;
    for (let i = 0; i < 6; i += 1) await new Issuer(network).make([], [one(writeTokenScript(token, lock))]);
    const { Work } = await import('../../../scan/work.ts');
    const read = Work.prototype.transaction;
    // Each transaction uses up a quarter of a refresh's limit.
    const reading = vi.spyOn(Work.prototype, 'transaction').mockImplementation(function (
      this: InstanceType<typeof Work>,
      ...of
    ) {
      this.transactions.took(25);
      return read.apply(this, of);
    });
    const answer = mint(run);
    expect(await Promise.race([answer, agree(run)])).toMatchObject({ earlier: tokenId });
    expect(await answer).toBe(tokenId);
    reading.mockRestore();
  });

  test('a restored wallet mints nothing while it can’t search for its earlier token', async () => {
    const { run } = await restored();
    const real = globalThis.fetch;
    const silent = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async (url, options) =>
        String(url).includes('/devnet/ordinals/') ? new Response('', { status: 500 }) : real(url, options),
      );
    expect(await mint(run)).toBe('network-unavailable');
    silent.mockRestore();
    expect(network.broadcasts).toEqual([]);
  });
});
