/** The allowance in a payment's window. */
import { fireEvent, screen, waitFor } from '@testing-library/preact';
import { expect, test } from 'vitest';
import type { ApprovalView } from '../../../protocol/messages/wallet-messages.ts';
import { approval } from '../../ui/window/fake-wallet.ts';
import { openApproval, part, useApprovalWindow } from '../testing.tsx';

useApprovalWindow();

test('the ceiling granted is the one shown, even if the rate has changed since the form was filled in', async () => {
  const at = (price: string): ApprovalView => {
    const rate = { currency: 'USD', price, time: 1_790_000_000_000, sources: 2 as const, dollar: price };
    const wanted = { suggested: { amount: '2', currency: 'USD' }, minimum: null, hadOne: false };
    return { ...approval, automatic: true, wanted, allowanceRates: [rate], rate, locked: true };
  };
  let view = at('50');
  const wallet = await openApproval(view, { 'approval/read': () => view, 'vault/unlock': () => null });
  expect(part('ceiling')?.textContent).toContain('0.06 BSV ($3.00 now)');
  // The price doubles while the window of the locked wallet waits for the user.
  view = at('100');
  const news = new BroadcastChannel('service-button-changes');
  await waitFor(() => {
    news.postMessage(null);
    expect(part('ceiling')?.textContent).toContain('0.03 BSV ($3.00 now)');
  });
  news.close();
  fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'secret' } });
  fireEvent.click(document.querySelector('[data-action=pay]') as HTMLButtonElement);
  await screen.findByText('You approved $0.20');
  expect(wallet.asked('approval/decide')).toMatchObject([
    { decision: 'pay', grant: { amount: '2', rate: { price: '100', dollar: '100' } } },
  ]);
});
