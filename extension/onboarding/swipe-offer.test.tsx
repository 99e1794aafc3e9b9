import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeWallet, overview } from '../ui/window/fake-wallet.ts';
import { SwipeOffer } from './swipe-offer.tsx';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: (message: never) => runtime.sendMessage(message) } },
}));

const rate = overview.rate!;

function open(canSwipe: boolean, shown = rate) {
  vi.stubGlobal('IntersectionObserverEntry', function () {});
  if (canSwipe) Object.defineProperty(IntersectionObserverEntry.prototype, 'isVisible', { value: true });
  const wallet = fakeWallet({ 'swipes/change': () => null });
  runtime.sendMessage = wallet.sendMessage;
  render(<SwipeOffer rate={shown} />);
  return wallet;
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('shows the limits, turns nothing on by itself, and turns on exactly these with one click', async () => {
  const wallet = open(true);
  expect(document.body.textContent).toContain('Up to $1.00 a swipe and $10.00 a day, network fees included.');
  expect(wallet.calls).toEqual([]);
  fireEvent.click(screen.getByText('Turn on'));
  await screen.findByText('One-swipe payments are on.');
  expect(wallet.asked('swipes/change')).toEqual([
    { amount: '10', perPayment: '1', currency: 'USD', rate: { price: rate.price, dollar: rate.dollar } },
  ]);
});

test.each([
  ['this browser cannot have them', false, rate],
  ['no amount can be suggested', true, { ...rate, currency: 'BSV', dollar: undefined } as never],
])('the offer is missing if %s', (_, canSwipe, shown) => {
  open(canSwipe, shown);
  expect(document.body.textContent).toBe('');
});
