import { expect, test } from 'vitest';
import { anonymousReportMessage, reportMessage } from './report-message.ts';

// Wallets and services of different versions use the same text, so not a single character may change.
test('a report’s signature covers the payment, its transaction, and the sender or the service', () => {
  expect(reportMessage('id-1', 'ab12', '02cd')).toBe(
    'Service Button payment report\nPayment: id-1\nTransaction: ab12\nSender: 02cd',
  );
  expect(anonymousReportMessage('id-1', 'ab12', 'https://pay.example')).toBe(
    'Service Button payment report\nPayment: id-1\nTransaction: ab12\nService: https://pay.example',
  );
});
