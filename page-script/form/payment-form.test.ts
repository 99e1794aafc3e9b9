import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { FormState } from '../page/parts.ts';
import { recipientKind } from '../../protocol/payments/recipient.ts';
import { PaymentForm } from './payment-form.ts';
import { ENGLISH } from './texts.ts';

const STATE: FormState = { to: null, currency: 'USD', own: undefined, state: 'ready', texts: undefined };
const again = vi.fn();
let root: ShadowRoot;
let form: PaymentForm;

beforeEach(() => {
  again.mockReset();
  const host = document.createElement('div');
  document.body.replaceChildren(host);
  root = host.attachShadow({ mode: 'open' });
  const room = document.createElement('div');
  root.append(room);
  form = new PaymentForm(room, {
    isRecipient: (text) => recipientKind(text) !== null,
    amountText: (amount, code) => `${amount} ${code}`,
    again,
    changed: () => {},
  });
  form.draw(STATE);
});

const inputs = () => [...root.querySelectorAll('input')] as [HTMLInputElement, HTMLInputElement];
const currency = () => root.querySelector('select')!;
const button = () => root.querySelector('button')!;
function fillIn(to: string, amount: string) {
  inputs()[0].value = to;
  inputs()[1].value = amount;
}

describe('[R-24] the user’s input', () => {
  test.each([
    ['0.50', '0.50'],
    ['0,50', '0.50'],
    [' 3 ', '3'],
    ['1,5', '1.5'],
    ['2,5000', '2.5000'],
    ['0,001', '0.001'],
    ['1.000,50', '1000.50'],
    ['1 000,50', '1000.50'],
    ['.5', '0.5'],
    ['١٬٢٣٤٫٥', '1234.5'],
  ])('%s becomes %s', (typed, amount) => {
    fillIn(' ada@example.com ', typed);
    expect(form.read()).toEqual({ to: 'ada@example.com', amount, currency: 'USD' });
  });

  test.each(['', '0', '-1', '1e3', '1,2,3', 'ten', '1..2', 'Infinity'])(
    'the amount %j is rejected with a hint',
    (typed) => {
      fillIn('75101', typed);
      expect(form.read()).toBeNull();
      expect(inputs()[1].validationMessage).toBe(ENGLISH.badAmount);
    },
  );

  test.each([
    ['1,000', ['1 USD', '1000 USD'], 0, '1'],
    ['1,000', ['1 USD', '1000 USD'], 1, '1000'],
    ['12.345', ['12.345 USD', '12345 USD'], 0, '12.345'],
  ])('%s prompts a question that the user answers', (typed, choices, chosen, amount) => {
    fillIn('75101', typed);
    expect(form.read()).toBeNull();
    const question = root.querySelector<HTMLElement>('[part=question]')!;
    const buttons = [...question.querySelectorAll('button')];
    expect([question.hidden, question.textContent]).toEqual([false, ENGLISH.whichAmount + choices.join('')]);
    buttons[chosen]!.click();
    expect(question.hidden).toBe(true);
    expect(Number(form.read()?.amount)).toBe(Number(amount));
  });

  test.each(['', 'nobody', 'a@', 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFx'])(
    'the recipient %j is rejected with a hint',
    (typed) => {
      fillIn(typed, '1');
      expect(form.read()).toBeNull();
      expect(inputs()[0].validationMessage).toBe(ENGLISH.badTo);
    },
  );

  test('a corrected field shows no error', () => {
    fillIn('75101', '');
    form.read();
    fillIn('75101', '1');
    inputs()[1].dispatchEvent(new Event('input'));
    expect(inputs()[1].validationMessage).toBe('');
    expect(form.read()).toEqual({ to: '75101', amount: '1', currency: 'USD' });
  });
});

describe('[R-25] the page’s suggestion', () => {
  test('the suggestion fills recipient and currency once, and never overwrites the user’s input', () => {
    form.draw({ ...STATE, to: 'ada@example.com', currency: 'EUR' });
    expect(inputs()[0].value).toBe('ada@example.com');
    expect(currency().value).toBe('EUR');
    fillIn('75101', '1');
    currency().value = 'BSV';
    form.draw({ ...STATE, to: 'ada@example.com', currency: 'EUR', own: 'JPY' });
    expect(form.read()).toEqual({ to: '75101', amount: '1', currency: 'BSV' });
    expect([...currency().options].map(({ value }) => value)).toEqual(['EUR', 'USD', 'BSV', 'JPY']);
  });
});

test('[R-24] the form stays locked after a payment until the user asks to pay again', () => {
  expect(button().hidden).toBe(true);
  form.draw({ ...STATE, state: 'done' });
  expect(inputs().every((input) => input.disabled) && currency().disabled).toBe(true);
  expect(button().hidden).toBe(false);
  button().click();
  expect(again).toHaveBeenCalledOnce();
  form.draw(STATE);
  expect(inputs().some((input) => input.disabled)).toBe(false);
});

test('every field has an accessible name', () => {
  expect([...root.querySelectorAll('label')].map((label) => label.querySelector('span')!.textContent)).toEqual([
    'Pay to',
    'Amount',
  ]);
  expect(currency().getAttribute('aria-label')).toBe('Currency');
});
