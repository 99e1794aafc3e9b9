import { beforeEach, describe, expect, test, vi } from 'vitest';
import { writeAddress } from '../protocol/address.ts';
import { pageMethods } from '../protocol/page-messages.ts';
import { paymentOptions, type Payment } from '../protocol/payment.ts';
import type { Imb, ImbOptions } from './api.ts';
import { ConfigurationError } from './configuration-error.ts';
import { imbClass } from './imb.ts';
import { paymentError } from './payment-error.ts';
import type { Wallet } from './wallet.ts';

const to = writeAddress(new Uint8Array(20).fill(7), 'devnet');
const PAYMENT = { id: 'p' } as Payment;
const pay = vi.fn<Wallet['pay']>();
const ask = vi.fn<(method: string, params: object) => Promise<unknown>>();
const found = vi.fn<Wallet['found']>();
const IMB = imbClass(() => ({ pay, ask, found }) as unknown as Wallet);
const imb = (more: Partial<ImbOptions> = {}): Imb => new IMB({ clientIdentifier: 'client', ...more });

beforeEach(() => {
  vi.resetAllMocks();
  pay.mockResolvedValue({ payment: PAYMENT, cryptoOperations: [] });
});

test.each([{}, { clientIdentifier: '' }, undefined])('is for one client: %j is refused', (given) => {
  expect(() => new IMB(given as ImbOptions)).toThrow(ConfigurationError);
});

describe('swipe', () => {
  test('asks for an automatic payment of this client and gives what came of it', async () => {
    expect(await imb().swipe({ to, amount: '0.01', clientIdentifier: 'other', buttonId: 3 })).toEqual({ payment: PAYMENT, cryptoOperations: [] });
    const [options, automatic] = pay.mock.calls[0]!;
    expect(options).toEqual({ outputs: [{ to, amount: '0.01', currency: 'USD' }], clientIdentifier: 'client', buttonId: '3' });
    expect(automatic).toBe(true);
    expect(paymentOptions.safeParse(options).success).toBe(true);
  });

  test.each([[{}, 'missing-recipient'], [{ to: 'nobody', amount: '1' }, 'invalid-recipient'], [{ to, amount: 'x' }, 'invalid-amount']])('%j is refused by its reason', async (options, reason) => {
    await expect(imb().swipe(options)).rejects.toMatchObject({ name: 'ConfigurationError', reason });
    expect(pay).not.toHaveBeenCalled();
  });

  test('[R-28] in dev mode asks nobody', async () => {
    expect(await imb().swipe({ devMode: true })).toEqual({ payment: null, cryptoOperations: [] });
    expect(pay).not.toHaveBeenCalled();
  });

  test('tells an allowance that the user gave with it', async () => {
    const onNewPermissionGranted = vi.fn();
    pay.mockResolvedValue({ payment: PAYMENT, cryptoOperations: [], token: 't' });
    expect(await imb({ onNewPermissionGranted }).swipe({ to, amount: '1' })).not.toHaveProperty('token');
    expect(onNewPermissionGranted).toHaveBeenCalledExactlyOnceWith('t');
  });

  test('[C-03] rejects with the wallet’s error', async () => {
    pay.mockRejectedValue(paymentError('refused', 'No.'));
    await expect(imb().swipe({ to, amount: '1' })).rejects.toMatchObject({ code: 'refused' });
  });
});

test('without a wallet every question ends in an error', async () => {
  found.mockRejectedValue(paymentError('no-wallet', 'None.'));
  for (const asked of [imb().swipe({ to, amount: '1' }), imb().amountLeft(), imb().askForPermission()]) await expect(asked).rejects.toMatchObject({ code: 'no-wallet' });
  expect([pay.mock.calls, ask.mock.calls]).toEqual([[], []]);
});

describe('the allowance', () => {
  test('what is left comes from the wallet', async () => {
    ask.mockResolvedValue({ amount: '0.40', currency: 'USD', satoshis: '800000' });
    expect(await imb().amountLeft()).toEqual({ amount: '0.40', currency: 'USD', satoshis: '800000' });
    expect(ask).toHaveBeenCalledExactlyOnceWith('allowance/left', { clientIdentifier: 'client' });
  });

  test('is asked for with the amounts of the call before those of the constructor, as the wallet takes them', async () => {
    ask.mockResolvedValue({ token: 't' });
    const onNewPermissionGranted = vi.fn();
    const one = imb({ suggestedAmount: { amount: 5, currency: 'USD' }, minimumAmount: { amount: '1', currency: 'USD' }, onNewPermissionGranted });
    expect(await one.askForPermission({ suggestedAmount: { amount: '2.50', currency: 'EUR' } })).toBe('t');
    const [method, params] = ask.mock.calls[0]!;
    expect(params).toEqual({ clientIdentifier: 'client', suggestedAmount: { amount: '2.50', currency: 'EUR' }, minimumAmount: { amount: '1', currency: 'USD' } });
    expect(pageMethods[method as 'allowance/ask'].safeParse(params).success).toBe(true);
    expect(onNewPermissionGranted).toHaveBeenCalledExactlyOnceWith('t');
    await imb().askForPermission();
    expect(pageMethods['allowance/ask'].safeParse(ask.mock.calls[1]![1]).success).toBe(true);
  });

  test('that the user refuses is an error', async () => {
    ask.mockRejectedValue(paymentError('allowance-refused', 'No.'));
    await expect(imb().askForPermission()).rejects.toMatchObject({ code: 'allowance-refused' });
  });
});
