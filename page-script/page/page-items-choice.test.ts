import { beforeEach, describe, expect, test } from 'vitest';
import { ChoiceForm } from '../form/choice-form.ts';
import { PaymentForm } from '../form/payment-form.ts';
import { OPTIONS_PART } from '../options/options-part.ts';
import { provide } from './parts.ts';
import {
  PAID,
  answer,
  requestsOf,
  host,
  label,
  load,
  onPayment,
  state,
  swipe,
  tick,
  usePage,
} from './testing-reloads.ts';

usePage();

describe('a chosen amount', () => {
  const TIP = { amount: null, presets: '1 5' };
  const choose = async (amount: string) => {
    host.shadowRoot!.querySelector<HTMLElement>(`button[value="${amount}"]`)!.click();
    await tick();
  };
  const again = () =>
    [...host.shadowRoot!.querySelectorAll<HTMLElement>('.form button')].find(
      ({ hidden, textContent }) => !hidden && textContent === 'Pay again',
    );
  beforeEach(async () => {
    provide('options', OPTIONS_PART);
    provide('form', {
      create: (...given: ConstructorParameters<typeof PaymentForm>) => new PaymentForm(...given),
      createChoice: (...given: ConstructorParameters<typeof ChoiceForm>) => new ChoiceForm(...given),
    });
    await load(TIP);
    await choose('5');
    await swipe();
  });

  test('a reload during the tip resumes its outcome, and no other amount can be chosen', async () => {
    await load(TIP);
    expect([state(), requestsOf('payment/outcome').length]).toEqual(['working', 1]);
    expect(host.shadowRoot!.querySelector<HTMLButtonElement>('button[value="1"]')!.disabled).toBe(true);
    await answer('payment/outcome', { result: PAID });
    expect([state(), onPayment.mock.calls.length]).toEqual(['done', 1]);
  });

  test('the button stays paid after a reload, and two tips in a row are two payments', async () => {
    await answer('payment/request', { result: PAID });
    await load(TIP);
    expect([state(), label()]).toEqual(['done', 'Paid']);
    again()!.click();
    await answer('wallet/hello', { result: { version: '1', network: 'devnet' } });
    expect(state()).toBe('ready');
    await choose('5');
    await swipe();
    await answer('payment/request', { result: { ...PAID, payment: { ...PAID.payment, id: 'q' } } });
    expect([state(), onPayment.mock.calls.length]).toEqual(['done', 2]);
  });

  test('the button is offered after a reload if the page allows it', async () => {
    await answer('payment/request', { result: PAID });
    await load({ ...TIP, repeatable: true });
    expect(state()).toBe('ready');
  });
});
