import { expect, test } from 'vitest';
import { assetBalanceMessage, balanceMessage } from './balance-message.ts';
import { anonymousReportMessage, reportMessage } from './report-message.ts';

// Wallets and services of different versions sign and check them: not a character may change.
test('a report is signed over the payment, its transaction, and the sender or the service', () => {
  expect(reportMessage('id-1', 'ab12', '02cd')).toBe(
    'Service Button payment report\nPayment: id-1\nTransaction: ab12\nSender: 02cd',
  );
  expect(anonymousReportMessage('id-1', 'ab12', 'https://pay.example')).toBe(
    'Service Button payment report\nPayment: id-1\nTransaction: ab12\nService: https://pay.example',
  );
});

test('a balance is signed with the service, the user and the time; assets apart from the money, in their order', () => {
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
