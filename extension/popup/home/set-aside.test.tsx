import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeWallet, Refusal } from '../../ui/window/fake-wallet.ts';
import { ERRORS } from '../../../protocol/errors/service-error.ts';
import { ReservedCoins, ReservedBySite } from './set-aside.tsx';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: (message: never) => runtime.sendMessage(message) } },
}));

afterEach(cleanup);

const site = (name: string, satoshis: string) => ({
  origin: `https://${name}.example`,
  satoshis,
  unfinished: 1,
  givenUp: 0,
});
const rate = { currency: 'USD', price: '50', time: Date.now(), sources: 2 as const };
const part = (name: string) => document.querySelector(`[data-part=${name}]`)?.textContent;

test('shows the coins that sites set aside, by site, next to the balance, and ends an action by a click', async () => {
  const wallet = fakeWallet({ 'sites/end': () => null });
  runtime.sendMessage = wallet.sendMessage;
  render(<ReservedCoins sites={[site('shop', '2000000'), site('game', '1000000')]} rate={rate} />);
  expect(document.querySelector('.set-aside summary')?.textContent).toContain('$1.50');
  expect(part('set-aside-site')).toContain('$1.00');
  fireEvent.click(screen.getByRole('button', { name: 'End what game.example hasn’t finished' }));
  await waitFor(() => expect(wallet.asked('sites/end')).toEqual([{ origin: 'https://game.example' }]));
});

test('shows nothing if no site has set anything aside', () => {
  render(<ReservedCoins sites={[]} rate={rate} />);
  expect(document.querySelector('.set-aside')).toBeNull();
});

test('actions that were given up can’t be ended, and a text explains how their coins return', () => {
  render(<ReservedBySite site={{ ...site('shop', '1000'), unfinished: 0, givenUp: 1 }} rate={rate} />);
  expect(screen.queryByRole('button')).toBeNull();
  expect(part('set-aside-site')).toContain('Your next payment frees these coins');
});

test('shows the number of unfinished payments that hold no coins, with a button to end them', async () => {
  const wallet = fakeWallet({ 'sites/end': () => null });
  runtime.sendMessage = wallet.sendMessage;
  render(<ReservedBySite site={{ ...site('shop', '0'), unfinished: 2 }} rate={rate} />);
  expect(part('set-aside-site')).toContain('2 unfinished payments');
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(wallet.asked('sites/end')).toEqual([{ origin: 'https://shop.example' }]));
});

test('shows why an action could not be ended', async () => {
  const wallet = fakeWallet({
    'sites/end': () => {
      throw new Refusal('internal');
    },
  });
  runtime.sendMessage = wallet.sendMessage;
  render(<ReservedBySite site={site('shop', '1000')} rate={null} />);
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(part('set-aside-site')).toContain(ERRORS.internal.message));
});
