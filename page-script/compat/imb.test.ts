import { beforeEach, describe, expect, test, vi } from 'vitest';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import { pageMethods } from '../../protocol/messages/page-messages.ts';
import { paymentOptions, type Payment } from '../../protocol/payments/payment.ts';
import type { Imb, ImbOptions } from '../api.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { imbClass } from './imb.ts';
import { walletError } from '../wallet/testing-relay.ts';
import type { Presence } from '../wallet/wallet-presence.ts';
import type { Paid, Wallet } from '../wallet/wallet.ts';

const to = writeAddress(new Uint8Array(20).fill(7), 'devnet');
const PAYMENT = { id: 'p' } as Payment;
const pay = vi.fn<(...given: Parameters<Wallet['begin']>) => Promise<Paid>>();
const ask = vi.fn<(method: string, params: object) => Promise<unknown>>();
let presences: Presence[];
const watch: Wallet['watch'] = (watcher) => {
  for (const presence of presences) watcher(presence);
  return () => {};
};
const outcome = vi.fn<Wallet['outcome']>();
const begin: Wallet['begin'] = (...given) => [crypto.randomUUID(), pay(...given)];
const IMB = imbClass(() => ({ begin, outcome, ask, watch }) as unknown as Wallet);
const imb = (more: Partial<ImbOptions> = {}): Imb => new IMB({ clientIdentifier: 'client', ...more });

beforeEach(() => {
  vi.resetAllMocks();
  presences = ['unknown', 'present'];
  pay.mockResolvedValue({ payment: PAYMENT, cryptoOperations: [] });
});

test.each([{}, { clientIdentifier: '' }, undefined])('a client identifier is required: %j is rejected', (given) => {
  expect(() => new IMB(given as ImbOptions)).toThrow(ConfigurationError);
});

test.each<[Partial<ImbOptions>, RegExp]>([
  [{ clientIdentifier: '' }, /clientIdentifier is missing: write /],
  [
    { suggestedAmount: { amount: '2' } as never },
    /suggestedAmount\.currency is missing: write .*amount: "2", currency: "USD"/,
  ],
  [
    { minimumAmount: { currency: 'EUR' } as never },
    /minimumAmount\.amount is missing: write .*amount: "0\.10", currency: "EUR"/,
  ],
  [{ suggestedAmount: { amount: 'x', currency: 'USD' } }, /suggestedAmount\.amount .*"?x"?.*must be/],
])('the message about %j names the option and the fix', (given, message) => {
  expect(() => imb(given)).toThrow(message);
});

describe('swipe', () => {
  test('requests an automatic payment of this client and returns its result', async () => {
    expect(await imb().swipe({ to, amount: '0.01', clientIdentifier: 'other', buttonId: 3 })).toEqual({
      payment: PAYMENT,
      cryptoOperations: [],
    });
    const [options, automatic] = pay.mock.calls[0]!;
    expect(options).toEqual({
      outputs: [{ to, amount: '0.01', currency: 'USD' }],
      clientIdentifier: 'client',
      buttonId: '3',
    });
    expect(automatic).toEqual({});
    expect(paymentOptions.safeParse(options).success).toBe(true);
  });

  test.each([
    [{}, 'missing-recipient'],
    [{ to: 'nobody', amount: '1' }, 'invalid-recipient'],
    [{ to, amount: 'x' }, 'invalid-amount'],
  ])('%j is rejected with its reason', async (options, reason) => {
    await expect(imb().swipe(options)).rejects.toMatchObject({ name: 'ConfigurationError', reason });
    expect(pay).not.toHaveBeenCalled();
  });

  test('[R-28] dev mode does not contact the wallet', async () => {
    expect(await imb().swipe({ devMode: true })).toEqual({ payment: null, cryptoOperations: [] });
    expect(pay).not.toHaveBeenCalled();
  });

  test('reports an allowance that the user granted with the payment', async () => {
    const onNewPermissionGranted = vi.fn();
    pay.mockResolvedValue({ payment: PAYMENT, cryptoOperations: [], token: 't' });
    expect(await imb({ onNewPermissionGranted }).swipe({ to, amount: '1' })).not.toHaveProperty('token');
    expect(onNewPermissionGranted).toHaveBeenCalledExactlyOnceWith('t');
  });

  test('keeps a payment if the page’s callback throws, and calls it with the window as this', async () => {
    const report = vi.fn();
    vi.stubGlobal('reportError', report);
    const fault = new Error('page');
    const seen: unknown[] = [];
    pay.mockResolvedValue({ payment: PAYMENT, cryptoOperations: [], token: 't' });
    const one = imb({
      onNewPermissionGranted(this: unknown) {
        seen.push(this);
        throw fault;
      },
    });
    expect(await one.swipe({ to, amount: '1' })).toEqual({ payment: PAYMENT, cryptoOperations: [] });
    expect([seen, report.mock.calls]).toEqual([[window], [[fault]]]);
    vi.unstubAllGlobals();
  });

  test('does not contact the wallet while on-payment names a missing function', async () => {
    const onError = vi.fn();
    await expect(imb().swipe({ to, amount: '1', onPayment: 'nowhere', onError })).rejects.toMatchObject({
      code: 'missing-function',
      moved: 'no',
    });
    expect(pay).not.toHaveBeenCalled();
    expect(onError).toHaveBeenCalledOnce();
  });

  test('calls the options’ callbacks in the documented order, before its promise settles', async () => {
    const calls: string[] = [];
    const note = (name: string) =>
      function noted(this: unknown, given?: unknown) {
        calls.push(`${name} ${JSON.stringify(given)} ${this === window}`);
      };
    const page = window as unknown as Record<string, unknown>;
    page.paid = note('paid');
    pay.mockResolvedValue({ payment: PAYMENT, cryptoOperations: [], token: 't' });
    const options = {
      to,
      amount: '1',
      cryptoOperations: [{ name: 'a', method: 'paymail' as const }],
      onPayment: 'paid',
      onCryptoOperations: note('run'),
      onError: note('wrong'),
      onLoad: note('loaded'),
    };
    await imb({ onNewPermissionGranted: note('granted') })
      .swipe(options)
      .then(() => calls.push('then'));
    expect(calls).toEqual(['granted "t" true', 'run [] true', 'paid {"id":"p"} true', 'then']);
    calls.length = 0;
    pay.mockRejectedValue(walletError('refused', 'No.'));
    await imb()
      .swipe({ ...options, onError: () => void calls.push('wrong') })
      .catch(() => calls.push('catch'));
    expect(calls).toEqual(['wrong', 'catch']);
    calls.length = 0;
    pay.mockRejectedValue(walletError('invalid-currency', 'No.'));
    await imb()
      .swipe(options)
      .catch(() => calls.push('catch'));
    await imb()
      .swipe({ ...options, amount: 'x' })
      .catch(() => calls.push('catch'));
    expect(calls).toEqual(['catch', 'catch']);
    delete page.paid;
  });

  test.each([{ to, amount: '0' }, { outputs: [{ to, amount: 0, currency: 'USD' }] }])(
    'a payment of zero skips the wallet: %j',
    async (options) => {
      expect(await imb().swipe(options)).toEqual({ payment: null, cryptoOperations: [] });
      expect(pay).not.toHaveBeenCalled();
    },
  );

  test('sends the wallet the suggested allowance and the page’s token', async () => {
    pay.mockResolvedValueOnce({ payment: PAYMENT, cryptoOperations: [], token: 'new' });
    const one = imb({
      suggestedAmount: { amount: 5, currency: 'usd' },
      minimumAmount: { amount: '.50', currency: 'USD' },
      permission: 'old',
    });
    await one.swipe({ to, amount: '1' });
    await one.swipe({ to, amount: '1' });
    const wish = {
      suggestedAmount: { amount: '5', currency: 'USD' },
      minimumAmount: { amount: '0.50', currency: 'USD' },
    };
    expect(pay.mock.calls.map(([, automatic]) => automatic)).toEqual([
      { ...wish, permission: 'old' },
      { ...wish, permission: 'new' },
    ]);
    const [options, automatic] = pay.mock.calls[0]!;
    expect(
      pageMethods['payment/request'].safeParse({ id: 'x'.repeat(32), options, automatic: true, ...automatic }).success,
    ).toBe(true);
  });

  test('[C-03] rejects with the wallet’s error', async () => {
    pay.mockRejectedValue(walletError('refused', 'No.'));
    await expect(imb().swipe({ to, amount: '1' })).rejects.toMatchObject({ code: 'refused' });
  });
});

test.each<[string, object, string]>([
  ['no decimal', { minimumAmount: { amount: 'ten', currency: 'USD' } }, 'invalid-amount'],
  ['negative', { minimumAmount: { amount: -1, currency: 'USD' } }, 'invalid-amount'],
  ['of no currency', { minimumAmount: { amount: '1' } }, 'missing-currency'],
  ['in an invalid currency', { suggestedAmount: { amount: '1', currency: '$' } }, 'invalid-currency'],
  ['without an amount', { suggestedAmount: { currency: 'USD' } }, 'missing-amount'],
])('an allowance whose amount is %s is rejected immediately', async (_, wrong, reason) => {
  expect(() => imb(wrong)).toThrow(expect.objectContaining({ name: 'ConfigurationError', reason }));
  await expect(imb().askForPermission(wrong)).rejects.toMatchObject({ reason });
  expect(ask).not.toHaveBeenCalled();
});

test('suggested amounts of zero are ignored', () => {
  expect(() =>
    imb({ suggestedAmount: { amount: 0, currency: 'USD' }, minimumAmount: { amount: '0.00', currency: 'USD' } }),
  ).not.toThrow();
});

test('every call ends in an error without a wallet', async () => {
  presences = ['unknown', 'absent'];
  for (const asked of [imb().swipe({ to, amount: '1' }), imb().amountLeft(), imb().askForPermission()])
    await expect(asked).rejects.toMatchObject({ code: 'no-wallet' });
  expect([pay.mock.calls, ask.mock.calls]).toEqual([[], []]);
});

describe('the allowance', () => {
  test('the remaining allowance comes from the wallet', async () => {
    ask.mockResolvedValue({ amount: '0.40', currency: 'USD', satoshis: '800000' });
    expect(await imb().amountLeft()).toEqual({ amount: '0.40', currency: 'USD', satoshis: '800000' });
    expect(ask).toHaveBeenCalledExactlyOnceWith('allowance/left', { clientIdentifier: 'client' });
  });

  test('an allowance is requested with the amounts of the call, then those of the constructor, in the wallet’s format', async () => {
    ask.mockResolvedValue({ token: 't' });
    const onNewPermissionGranted = vi.fn();
    const one = imb({
      suggestedAmount: { amount: 5, currency: 'USD' },
      minimumAmount: { amount: '1', currency: 'USD' },
      onNewPermissionGranted,
    });
    expect(await one.askForPermission({ suggestedAmount: { amount: '2.50', currency: 'EUR' } })).toBe('t');
    const [method, params] = ask.mock.calls[0]!;
    expect(params).toEqual({
      clientIdentifier: 'client',
      suggestedAmount: { amount: '2.50', currency: 'EUR' },
      minimumAmount: { amount: '1', currency: 'USD' },
    });
    expect(pageMethods[method as 'allowance/ask'].safeParse(params).success).toBe(true);
    expect(onNewPermissionGranted).toHaveBeenCalledExactlyOnceWith('t');
    await imb().askForPermission();
    expect(pageMethods['allowance/ask'].safeParse(ask.mock.calls[1]![1]).success).toBe(true);
  });

  test('an allowance that the user rejects is an error', async () => {
    ask.mockRejectedValue(walletError('allowance-refused', 'No.'));
    await expect(imb().askForPermission()).rejects.toMatchObject({ code: 'allowance-refused' });
  });
});
