import { expect, test, vi } from 'vitest';
import { connectWallet } from './wallet.ts';

const answer = vi.hoisted(() =>
  vi.fn(async () => ({ payer: { userId: '75101', paymail: 'ann@one.example', service: 'https://one.example' } })),
);

vi.mock('./wallet-client.ts', () => ({ randomId: () => 'id', createWalletClient: () => answer }));

test.each([
  ['the wallet’s own service', 'https://one.example', '75101'],
  ['no known service', null, '75101'],
  ['another service, where the ID belongs to another user', 'https://two.example', 'ann@one.example'],
])(
  'a visitor’s user ID is replaced by the paymail only for another service: a button of %s',
  async (_, service, userId) => {
    const { payer } = await connectWallet(window, service).rates('USD');
    expect(payer).toMatchObject({ userId, paymail: 'ann@one.example' });
  },
);

test('rates are requested again after an error, and are then cached', async () => {
  const wallet = connectWallet(window);
  answer.mockRejectedValueOnce(new Error('unavailable'));
  await expect(wallet.rates('USD')).rejects.toThrow('unavailable');
  await expect(wallet.rates('USD')).resolves.toMatchObject({ payer: { paymail: 'ann@one.example' } });
  const before = answer.mock.calls.length;
  await wallet.rates('USD');
  expect(answer.mock.calls).toHaveLength(before);
});
