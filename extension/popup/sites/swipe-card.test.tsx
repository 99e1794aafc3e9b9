import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Rate, SwipeLimitsView } from '../../../protocol/messages/wallet-messages.ts';
import { allowance, fakeWallet, overview, Refusal } from '../../ui/window/fake-wallet.ts';
import { SwipeCard } from './swipe-card.tsx';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: (message: never) => runtime.sendMessage(message) } },
}));

const OFF: SwipeLimitsView = { on: false, allowance: null };
const ON: SwipeLimitsView = {
  on: true,
  allowance: { ...allowance, period: 'day', limit: '10', perPayment: '1', spent: '1.4', left: '8.6' },
};
const EURO: Rate = { currency: 'EUR', price: '46', time: 1_790_000_000_000, sources: 2, dollar: '50' };

async function open(swipes: SwipeLimitsView, handlers: Parameters<typeof fakeWallet>[0] = {}, rate = overview.rate) {
  const wallet = fakeWallet({
    'swipes/read': () => swipes,
    'swipes/change': () => null,
    'swipes/switch-off': () => null,
    ...handlers,
  });
  runtime.sendMessage = wallet.sendMessage;
  render(<SwipeCard rate={rate} />);
  await screen.findByText('One-swipe payments');
  return wallet;
}

const button = (action: string) => document.querySelector(`[data-action=${action}]`) as HTMLButtonElement;
const field = (part: string) => document.querySelector(`[data-part=${part}]`) as HTMLInputElement;
const type = (part: string, value: string) => fireEvent.input(field(part), { target: { value } });
const text = () => document.body.textContent;

beforeEach(() => {
  vi.stubGlobal('IntersectionObserverEntry', function () {});
  Object.defineProperty(IntersectionObserverEntry.prototype, 'isVisible', { value: true });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('swipes are off until they are turned on, with initial limits that the user can change', async () => {
  const wallet = await open(OFF);
  expect(wallet.asked('swipes/change')).toEqual([]);
  fireEvent.click(button('swipes-change'));
  expect([field('perSwipe').value, field('perDay').value]).toEqual(['1', '10']);
  type('perDay', '5');
  expect(text()).toContain('Never more than 0.15 BSV ($7.50 now)');
  fireEvent.click(button('swipes-save'));
  await vi.waitFor(() =>
    expect(wallet.asked('swipes/change')).toEqual([
      { amount: '5', perPayment: '1', currency: 'USD', rate: { price: '50', dollar: '50' } },
    ]),
  );
});

test('shows the remaining amount of today and the limit of a swipe, and turns off', async () => {
  const wallet = await open(ON);
  expect(text()).toContain('$8.60 of $10.00 a day');
  expect(text()).toContain('$1.40 today');
  expect(text()).toContain('$1.00');
  fireEvent.click(button('swipes-off'));
  await vi.waitFor(() => expect(wallet.asked('swipes/switch-off')).toHaveLength(1));
});

test('starts from the current limits, and suggests new ones in another currency', async () => {
  await open(ON);
  fireEvent.click(button('swipes-change'));
  expect([field('perSwipe').value, field('perDay').value]).toEqual(['1', '10']);
  type('perSwipe', '2');
  fireEvent.click(screen.getByText('Cancel'));
  expect(field('perSwipe')).toBeNull();
  cleanup();
  await open(ON, {}, EURO);
  fireEvent.click(button('swipes-change'));
  expect(text()).toContain('Limit per day (EUR)');
  expect([field('perSwipe').value, field('perDay').value]).toEqual(['1', '10']);
});

test.each([
  ['', '10', 'Enter both limits.'],
  ['1', '', 'Enter both limits.'],
  ['11', '10', 'The limit per swipe is more than the limit per day.'],
  ['x', '10', 'Enter an amount such as 5 or 0.50.'],
])('rejects limits of %j a swipe and %j a day', async (perSwipe, perDay, problem) => {
  await open(OFF);
  fireEvent.click(button('swipes-change'));
  type('perSwipe', perSwipe);
  type('perDay', perDay);
  expect(Array.from(document.querySelectorAll('.field-error'), (note) => note.textContent).join('')).toBe(problem);
  expect(button('swipes-save').disabled).toBe(true);
});

test('swipes cannot be turned on while the exchange rate is unknown, and the reason is shown', async () => {
  await open(OFF, {}, null);
  expect(text()).toContain('exchange rate');
  expect(button('swipes-change').disabled).toBe(true);
});

test('shows why a change failed, and keeps the typed values', async () => {
  await open(OFF, {
    'swipes/change': () => {
      throw new Refusal('wallet-locked');
    },
  });
  fireEvent.click(button('swipes-change'));
  fireEvent.click(button('swipes-save'));
  await screen.findByText(/wallet is locked/);
  expect(field('perDay').value).toBe('10');
});

test('the card is missing if a frame cannot detect that it is visible', async () => {
  vi.stubGlobal('IntersectionObserverEntry', function () {});
  const wallet = fakeWallet({});
  runtime.sendMessage = wallet.sendMessage;
  render(<SwipeCard rate={overview.rate} />);
  expect([text(), wallet.calls]).toEqual(['', []]);
});
