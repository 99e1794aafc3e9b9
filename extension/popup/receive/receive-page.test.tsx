import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { satoshisToBsv } from '../../../protocol/money/money.ts';
import { overview } from '../../ui/window/fake-wallet.ts';
import { ReceivePage } from './receive-page.tsx';
import { readPaymentLink, writePaymentLink } from '../send/payment-link.ts';

vi.mock('webextension-polyfill', () => ({ default: { runtime: { sendMessage: () => undefined } } }));
afterEach(cleanup);

const noop = () => {};
const account = { ...overview.account, paymail: 'ada@pay.example' } as NonNullable<typeof overview.account>;
const open = (change: Partial<typeof overview> = {}) =>
  render(<ReceivePage overview={{ ...overview, account, ...change }} onBack={noop} onAccount={noop} />);
const field = () => document.querySelector('[data-part=request-amount]') as HTMLInputElement;
const type = (value: string) => fireEvent.input(field(), { target: { value } });
const code = () => document.querySelector('.qr')?.getAttribute('aria-label');

test('requests an amount with a code and a link, in the user’s currency or in BSV', async () => {
  const writeText = vi.fn(async () => {});
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  open();
  expect(code()).toContain('ada@pay.example');
  type('2.50');
  expect(code()).toBe('Payment link for $2.50 (5,000,000 satoshis)');
  fireEvent.click(screen.getByText('Copy payment link'));
  expect(writeText).toHaveBeenLastCalledWith('bitcoin:ada@pay.example?sv&amount=0.05');
  fireEvent.change(screen.getByLabelText('Currency'), { target: { value: 'BSV' } });
  expect(code()).toContain('250,000,000 satoshis');
  fireEvent.click(screen.getByLabelText('Address'));
  fireEvent.click(screen.getByText('Copy payment link'));
  expect(writeText).toHaveBeenLastCalledWith(`bitcoin:${overview.receiveAddress}?sv&amount=2.5`);
  type('');
  expect(code()).toContain(overview.receiveAddress);
});

test.each(['0', '-1', 'x', '0.000000001', '99999999999'])('shows no code for %s', (amount) => {
  open();
  type(amount);
  expect(field().getAttribute('aria-invalid')).toBe('true');
  expect(code()).toContain('ada@pay.example');
});

test('requests only BSV without a rate', () => {
  open({ rate: null });
  expect([...document.querySelectorAll('option')].map((option) => option.value)).toEqual(['BSV']);
  type('0.5');
  expect(code()).toContain('50,000,000 satoshis');
});

test('every generated link can be read back', () => {
  const to = fc.string({ minLength: 1, maxLength: 60 }).filter((text) => text.isWellFormed());
  const amount = fc.option(fc.bigInt(1n, 2_100_000_000_000_000n).map(satoshisToBsv));
  fc.assert(
    fc.property(to, amount, (recipient, much) => {
      const link = { to: recipient, amount: much };
      expect(readPaymentLink(writePaymentLink(link))).toEqual(link);
    }),
  );
});
