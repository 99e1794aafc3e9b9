import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeWallet } from '../window/fake-wallet.ts';
import { FaucetButton } from './faucet-button.tsx';
import { texts } from '../texts/texts.ts';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: (message: never) => runtime.sendMessage(message) } },
}));
afterEach(cleanup);

const { faucet } = texts;

test('the coins are pending until the balance has grown, and a second click starts again', async () => {
  runtime.sendMessage = fakeWallet({ 'wallet/faucet': () => ({ txid: 'ab'.repeat(32) }) }).sendMessage;
  const { rerender } = render(<FaucetButton satoshis={5n} />);
  expect(screen.getByRole('status').textContent).toBe('');
  fireEvent.click(screen.getByText(faucet.get));
  await screen.findByText(faucet.done);
  rerender(<FaucetButton satoshis={10_000_005n} />);
  expect(screen.getByRole('status').textContent).toBe(faucet.arrived);
  fireEvent.click(screen.getByText(faucet.get));
  await screen.findByText(faucet.done);
});

test('coins that arrive before the faucet’s response count as arrived', async () => {
  let answer = () => {};
  const answered = new Promise<{ txid: string }>((resolve) => {
    answer = () => resolve({ txid: 'ab'.repeat(32) });
  });
  runtime.sendMessage = fakeWallet({ 'wallet/faucet': () => answered }).sendMessage;
  const { rerender } = render(<FaucetButton satoshis={0n} />);
  fireEvent.click(screen.getByText(faucet.get));
  rerender(<FaucetButton satoshis={10_000_000n} />);
  answer();
  await screen.findByText(faucet.arrived);
});
