/** Tests delayed outcomes of automatic payments, with the real class and a simulated relay. */
import { beforeEach, expect, test } from 'vitest';
import { OPTIONS_PART } from '../options/options-part.ts';
import { provide } from '../page/parts.ts';
import {
  answer,
  requestsOf,
  factory,
  fails,
  load,
  onError,
  onPayment,
  PAID,
  tick,
  to,
  usePage,
} from '../page/testing-reloads.ts';

usePage();
beforeEach(async () => {
  provide('options', OPTIONS_PART);
  await load();
});

async function swipeImb(reply: object, callbacks: object = { onPayment, onError }): Promise<unknown> {
  const result = new factory.IMB({ clientIdentifier: 'client' }).swipe({ to, amount: '0.01', ...callbacks }).then(
    ({ payment }) => payment!.id,
    ({ code }: { code: string }) => code,
  );
  await tick();
  await answer('payment/request', reply);
  return result;
}
const idsOf = (method: string) => requestsOf(method).map(({ params }) => params.id);

test('an automatic payment that its wallet confirms later is reported to the page', async () => {
  expect(await swipeImb(fails('payment-pending'))).toBe('payment-pending');
  expect(requestsOf('payment/outcome').map(({ params }) => params)).toEqual([
    { id: idsOf('payment/request')[0], known: 'payment-pending' },
  ]);
  expect(onPayment).not.toHaveBeenCalled();
  await answer('payment/outcome', { result: PAID });
  expect(onPayment).toHaveBeenCalledExactlyOnceWith(PAID.payment);
});

test('a repeated call waits for the same automatic payment, which is reported once', async () => {
  await swipeImb(fails('payment-pending'));
  expect(await swipeImb({ result: PAID })).toBe('p');
  expect(new Set(idsOf('payment/request')).size).toBe(1);
  await answer('payment/outcome', { result: PAID });
  expect(onPayment).toHaveBeenCalledOnce();
});

test.each([
  ['with callbacks', undefined],
  ['without callbacks', {}],
])('a call after a reload gets the automatic payment made before the reload, %s', async (_, callbacks) => {
  await swipeImb(fails('payment-pending'), callbacks);
  const [id] = idsOf('payment/request');
  await load();
  expect(await swipeImb({ result: PAID }, callbacks)).toBe('p');
  expect(idsOf('payment/request')).toEqual([id]);
});

test('the outcome is delivered to a repeated call if there are no callbacks', async () => {
  await swipeImb(fails('payment-pending'), {});
  expect(requestsOf('payment/outcome')).toEqual([]);
});

test('a rejected automatic payment is not tracked', async () => {
  expect(await swipeImb(fails('refused'))).toBe('refused');
  expect(requestsOf('payment/outcome')).toEqual([]);
});
