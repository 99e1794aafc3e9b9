import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../../../protocol/http/api.ts';
import type { Asset } from '../../../../protocol/assets/assets.ts';
import { createTestMint } from '../../../assets/testing-mint.ts';
import { assets } from '../../../database/schema.ts';
import { bearer, createTestWallet, register, signInOnPages } from '../../../testing.ts';
import { useService } from '../../../testing-service.ts';

const { app, arc, database } = useService();
const [wallet, bobWallet] = [createTestWallet(), createTestWallet()];
let alice: Session;
let pages: { Cookie: string; Origin: string };
let bobPages: { Cookie: string; Origin: string };

beforeAll(async () => {
  alice = await register(app, wallet, 'alice');
  await register(app, bobWallet, 'bob');
  [pages, bobPages] = [await signInOnPages(app, wallet), await signInOnPages(app, bobWallet)];
});
beforeEach(() => database.db.delete(assets));

const show = (path: string, by = pages) => app.send('GET', path, undefined, { Cookie: by.Cookie });
const submit = async (path: string, fields: Record<string, string>, by = pages) => {
  const token = /name="form-token" value="([0-9a-f]{64})"/.exec((await show('/account', by)).body)?.[1] ?? '';
  return app.send('POST', path, new URLSearchParams({ 'form-token': token, ...fields }), by);
};
const stored = async () => database.db.select().from(assets);
const FORM = { name: 'Garden hours', supply: '1000.5', decimals: '2', paymailAlias: 'garden' };

describe('a user’s asset pages', () => {
  it('begin with instructions, and link to each new asset', async () => {
    expect((await show('/account/assets')).body).toContain('You have no assets yet.');
    const made = await submit('/account/assets', { ...FORM, description: '<b>Weeding</b>\nand more' });
    const [row] = await stored();
    expect([made.status, made.headers.get('location')]).toEqual([303, `/account/assets/${row?.id}`]);
    expect(row).toMatchObject({ supply: 100_050n, decimals: 2, paymailAlias: 'garden', state: 'pending', url: null });
    const { body } = await show(`/account/assets/${row?.id}`);
    expect(body).toContain('1,000.50');
    expect(body).toContain('garden@localhost');
    expect(body).toContain('&lt;b&gt;Weeding');
    expect(body).toMatch(new RegExp(`<button[^>]* data-asset-id="${row?.id}" data-mint>Mint with wallet</button>`));
    const list = (await show('/account/assets')).body;
    expect(list).toContain(`href="/account/assets/${row?.id}"`);
    expect(list).toContain('Not minted');
  });

  it.each([
    ['name', { name: 'Gold' }, 'The name must be at least 5 characters.'],
    [
      'supply',
      { supply: '1.234' },
      'The supply must be a whole number from 1 to 18446744073709551615, in the smallest units.',
    ],
    [
      'supply',
      { supply: '0' },
      'The supply must be a whole number from 1 to 18446744073709551615, in the smallest units.',
    ],
    [
      'supply',
      { supply: 'many' },
      'The supply must be a whole number from 1 to 18446744073709551615, in the smallest units.',
    ],
    ['supply', { supply: '184467440737095516.16', decimals: '2' }, 'The supply must be a whole number from 1'],
    ['paymailAlias', { paymailAlias: 'bob' }, 'This alias, or one that looks like it, is already taken.'],
    ['paymailAlias', { paymailAlias: 'admin' }, 'This alias, or one that looks like it, is already taken.'],
    ['avatar', { avatar: 'javascript:alert(1)' }, 'The picture must begin with https://'],
  ])('show at %s the error in %j, and keep the input', async (field, wrong, message) => {
    const { status, body } = await submit('/account/assets', { ...FORM, ...wrong });
    expect(status).toBe(400);
    expect(body).toContain(`id="${field}-problem">${message}`);
    expect(body).toContain(`value="${Object.values(wrong)[0]}"`);
    expect(await stored()).toEqual([]);
  });

  it('change an asset that isn’t minted, and delete it after a confirmation', async () => {
    await submit('/account/assets', FORM);
    const [row] = await stored();
    const path = `/account/assets/${row?.id}`;
    for (const below of ['', '/edit', '/delete']) expect((await show(path + below, bobPages)).status).toBe(404);
    for (const below of ['/edit', '/delete'])
      expect((await submit(path + below, { name: 'Bob’s own' }, bobPages)).status).toBe(404);
    expect((await submit(`${path}/edit`, { name: 'Gold', description: '', avatar: '' })).status).toBe(400);
    await submit(`${path}/edit`, { name: 'Garden days', description: 'Mine', avatar: 'https://a.example/b.png' });
    expect((await stored())[0]).toMatchObject({
      name: 'Garden days',
      description: 'Mine',
      avatar: 'https://a.example/b.png',
      supply: 100_050n,
    });
    // The picture's URL is shown, but the picture isn't loaded from the third party.
    expect((await show(path)).body).not.toMatch(/<img[^>]*a\.example/);
    expect((await show(`${path}/delete`)).body).toContain('Delete this asset?');
    expect((await submit(`${path}/delete`, {})).headers.get('location')).toBe('/account/assets');
    expect(await stored()).toEqual([]);
  });

  it('offer neither minting nor deleting for a minted asset', async () => {
    const made: Asset = (
      await app.post('/api/v2/me/assets', { name: 'Garden hours', initialSupply: 5, protocol: 'bsv-21' }, bearer(alice))
    ).body;
    const { txid, report } = createTestMint(made, wallet.publicKey);
    arc.statuses.set(txid, 'SEEN_ON_NETWORK');
    await app.post(`/api/v2/me/assets/${made.id}/mint`, report, bearer(alice));
    const { body } = await show(`/account/assets/${made.id}`);
    expect(body).toContain(report.tokenId);
    expect(body).toContain('once it’s in a block');
    expect(body).not.toMatch(/data-mint|\/delete"/);
    expect((await submit(`/account/assets/${made.id}/delete`, {})).status).toBe(409);
  });
});
