import { expect, test } from 'vitest';
import { assetBalanceMessage, balanceMessage } from './balance-message.ts';

// Wallets and services of different versions use the same text, so not a single character may change.
test('a signed balance names the service, the user and the time, and a separate text lists the assets in the given order', () => {
  const about = { origin: 'https://pay.example', userId: '75101', time: '2025-06-01T12:00:00.000Z' };
  expect(balanceMessage({ ...about, satoshis: '12' })).toBe(
    'Service Button balance\nService: https://pay.example\nUser: 75101\nBalance: 12 satoshis\nTime: 2025-06-01T12:00:00.000Z',
  );
  expect(
    assetBalanceMessage({
      ...about,
      assets: [
        { tokenId: 'b_0', amount: '2' },
        { tokenId: 'a_1', amount: '1' },
      ],
    }),
  ).toBe(
    'Service Button assets\nService: https://pay.example\nUser: 75101\nAsset: 2 of b_0\nAsset: 1 of a_1\nTime: 2025-06-01T12:00:00.000Z',
  );
  expect(assetBalanceMessage({ ...about, assets: [] })).toBe(
    'Service Button assets\nService: https://pay.example\nUser: 75101\nTime: 2025-06-01T12:00:00.000Z',
  );
});
