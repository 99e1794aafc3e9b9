import { expect, test, vi } from 'vitest';
import { connectWallet } from './wallet.ts';

vi.mock('./wallet-client.ts', () => ({
  randomId: () => 'id',
  createWalletClient: () => async () => ({
    payer: { userId: '75101', paymail: 'ann@one.example', service: 'https://one.example' },
  }),
}));

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
