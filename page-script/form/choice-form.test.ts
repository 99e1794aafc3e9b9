import { beforeEach, expect, test, vi } from 'vitest';
import type { FormState } from '../page/parts.ts';
import { ChoiceForm } from './choice-form.ts';
import { ENGLISH } from './texts.ts';

const STATE: FormState = {
  to: '75101',
  currency: 'USD',
  own: undefined,
  state: 'ready',
  texts: undefined,
  choice: { presets: ['1', '5', '20'], min: '0.50', max: '100', amount: null },
};
const [again, changed] = [vi.fn(), vi.fn()];
let root: ShadowRoot;
let form: ChoiceForm;

beforeEach(() => {
  again.mockReset();
  changed.mockReset();
  const host = document.createElement('div');
  document.body.replaceChildren(host);
  root = host.attachShadow({ mode: 'open' });
  const room = document.createElement('div');
  root.append(room);
  form = new ChoiceForm(room, {
    isRecipient: () => true,
    amountText: (amount, code) => `${amount} ${code}`,
    again,
    changed,
  });
  form.draw(STATE);
});

const presets = () => [...root.querySelectorAll<HTMLButtonElement>('[part=preset]')];
const inputs = () => [...root.querySelectorAll('input')] as [HTMLInputElement, HTMLInputElement];
function type(text: string, into = inputs()[0]) {
  into.value = text;
  into.dispatchEvent(new Event('input'));
}
const pressed = () => presets().map((one) => one.getAttribute('aria-pressed'));

test('no preset is selected at first, and a swipe asks for an amount', () => {
  expect(form.chosen()).toEqual({ amount: null, note: '' });
  expect(form.read()).toBeNull();
  expect(inputs()[0].validationMessage).toBe('Enter an amount from 0.50 USD to 100 USD.');
});

test('a typed amount replaces a selected preset', () => {
  presets()[1]!.click();
  expect([form.chosen().amount, pressed()]).toEqual(['5', ['false', 'true', 'false']]);
  type('7,5');
  expect([form.chosen().amount, pressed()]).toEqual(['7.5', ['false', 'false', 'false']]);
  presets()[2]!.click();
  expect([form.chosen().amount, inputs()[0].value]).toEqual(['20', '']);
  expect(changed).toHaveBeenCalledTimes(3);
});

test.each(['0.49', '100.01', '1,2,3', '1,000', '-1', 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb'])(
  '%j can’t be paid',
  (typed) => {
    type(typed);
    expect(form.chosen().amount).toBeNull();
    expect(form.read()).toBeNull();
  },
);

test('an ambiguous amount prompts a question', () => {
  type('1,000');
  expect(form.read()).toBeNull();
  const question = root.querySelector<HTMLElement>('[part=question]')!;
  expect([question.hidden, inputs()[0].validationMessage]).toEqual([false, ENGLISH.whichAmount]);
  question.querySelector('button')!.click();
  expect(form.chosen().amount).toBe('1');
});

test('the note is sent, and no input changes the recipient', () => {
  presets()[0]!.click();
  type(' 75102 thanks ', inputs()[1]);
  expect(form.chosen()).toEqual({ amount: '1', note: '75102 thanks' });
  expect(form.read()).toEqual({ to: '75101', amount: '1', currency: 'USD' });
});

test.each([
  ['5', [['false', 'true', 'false'], '']],
  ['7', [['false', 'false', 'false'], '7']],
])('the page may suggest %s', async (amount, shown) => {
  form.draw({ ...STATE, choice: { ...STATE.choice!, amount } });
  expect([pressed(), inputs()[0].value]).toEqual(shown);
  expect(form.chosen().amount).toBe(amount);
  await Promise.resolve();
  expect(changed).toHaveBeenCalledOnce();
});

test('the form stays locked after a payment until the visitor wants to pay again', () => {
  presets()[0]!.click();
  form.draw({ ...STATE, state: 'done' });
  expect([...inputs(), ...presets()].every((one) => one.disabled)).toBe(true);
  root.querySelector<HTMLButtonElement>('form > button')!.click();
  expect(again).toHaveBeenCalledOnce();
});
