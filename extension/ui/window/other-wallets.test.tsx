import { act, cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, expect, test, vi } from 'vitest';
import type { OtherWalletsView } from '../../../protocol/messages/wallet-messages.ts';
import { fakeWallet } from './fake-wallet.ts';
import { OtherWallets } from './other-wallets.tsx';
import { otherWalletTexts as t } from '../texts/texts.ts';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: (message: never) => runtime.sendMessage(message) } },
}));

afterEach(cleanup);

const PLACE = { path: "m/44'/236'/1'/0/0", wallets: 'Yours', address: 'muLHNV1SS4GoPSd1wLMPLdrsaSGquxj97W' };
const TOKEN: OtherWalletsView['assets'][number] = {
  ...PLACE,
  outpoint: `${'ab'.repeat(32)}:0`,
  asset: { type: 'token', id: `${'cd'.repeat(32)}_0`, symbol: 'GOLD', decimals: 0, units: '700' },
  word: 'chain',
};
const NOTHING: OtherWalletsView = {
  searched: [],
  found: [],
  left: 0,
  feeSatoshis: null,
  assets: [],
  assetsLeft: 0,
  assetsFeeSatoshis: null,
  tokens: 0,
};

const text = () => document.body.textContent ?? '';
const button = (what: string) => document.querySelector<HTMLButtonElement>(`[data-action=move-${what}]`);

async function search(view: Partial<OtherWalletsView>) {
  const wallet = fakeWallet({
    'other-wallets/search': () => ({ ...NOTHING, ...view }),
    'other-wallets/move': () => ({ txid: 'ab'.repeat(32) }),
    'other-wallets/move-assets': () => ({ txid: 'ab'.repeat(32) }),
  });
  runtime.sendMessage = wallet.sendMessage;
  render(<OtherWallets rate={null} />);
  fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'correct horse' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: t.search })));
  await act(async () => {});
  return wallet;
}

test('shows tokens with their paths, and moves them at the fee that was shown', async () => {
  const wallet = await search({ assets: [TOKEN], assetsFeeSatoshis: '44' });
  for (const part of ['700', 'GOLD']) expect(text()).toContain(part);
  expect(text()).toContain(PLACE.path);
  expect(text()).toContain('44 satoshis');
  expect(button('coins')).toBeNull();
  button('assets')?.click();
  await screen.findByText(t.assetsMoved);
  expect(wallet.asked('other-wallets/move-assets')).toEqual([
    { password: 'correct horse', passphrase: '', outpoints: [TOKEN.outpoint], feeSatoshis: '44' },
  ]);
});

test('offers only coins without money for the fee, and forgets the password after the move', async () => {
  await search({
    found: [{ ...PLACE, outpoint: `${'ef'.repeat(32)}:1`, satoshis: '5000' }],
    feeSatoshis: '20',
    assets: [TOKEN],
  });
  expect(button('assets')).toBeNull();
  expect(text()).toContain(t.assetsNoFee);
  button('coins')?.click();
  await screen.findByText(t.moved);
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('');
});

test.each([
  [{ assets: [{ ...TOKEN, word: 'index' as const }] }, 'The index only'],
  [{ assets: [TOKEN], assetsLeft: 3 }, '3 more tokens and ordinals'],
  [{ assetsUnknown: true as const }, t.assetsUnknown],
  [{ tokens: 2 }, '2 other coins of one satoshi'],
  [{}, t.none],
])('shows the uncertain parts of a result: %j', async (view, said) => {
  await search(view);
  expect(text()).toContain(said);
});
