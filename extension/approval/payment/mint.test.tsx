import { cleanup, fireEvent, screen, waitFor } from '@testing-library/preact';
import { expect, test } from 'vitest';
import { pressKey } from '../../../testing/press-key.ts';
import { ERRORS } from '../../../protocol/errors/service-error.ts';
import type { MintView } from '../../../protocol/messages/wallet-messages.ts';
import { mintSample } from '../../ui/window/fake-wallet.ts';
import { clock, close, id, openApproval, part, text, useApprovalWindow, type Handlers } from '../testing.tsx';

useApprovalWindow();

const open = (view: Partial<MintView> = {}, handlers: Handlers = {}) =>
  openApproval({ ...mintSample, ...view }, handlers);
const button = () => document.querySelector<HTMLButtonElement>('[data-action=mint]') as HTMLButtonElement;
const shown = (...names: string[]) => names.map((name) => part(name)?.textContent);

test('an asset is shown as it will be minted, with the fee, and minted at that fee by one click', async () => {
  const wallet = await open();
  expect(text()).toContain('asks you to mint an asset');
  expect(shown('origin', 'name', 'supply', 'decimals')).toEqual([
    'http://localhost:3000',
    'Garden hours',
    '1,000.5',
    '2',
  ]);
  expect(part('fee')?.textContent).toContain('31 satoshis');
  fireEvent.click(button());
  fireEvent.click(button());
  await screen.findByText('You approved it');
  expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'mint', feeSatoshis: '31' }]);
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
});

test('the largest amounts and longest names are shown in full, with hidden characters', async () => {
  await open({ asset: { type: 'mint', symbol: 'Gold\u202e', decimals: 0, units: '18446744073709551615' } });
  expect(shown('name', 'supply')).toEqual(['Gold⟨U+202E⟩', '18,446,744,073,709,551,615']);
});

test('a token that was minted before is named, and used without a fee', async () => {
  const earlier = `${'ab'.repeat(32)}_0`;
  const wallet = await open({ earlier, feeSatoshis: '0' });
  expect(shown('name', 'earlier', 'fee')).toEqual(['Garden hours', earlier, undefined]);
  expect(text()).toContain('No second one will be minted');
  expect(button().textContent).toBe('Use this token');
  fireEvent.click(button());
  await screen.findByText('You approved it');
  expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'mint', feeSatoshis: '0' }]);
});

test('the button and Escape reject the mint', async () => {
  for (const refuse of [() => fireEvent.click(screen.getByText('Refuse')), () => pressKey('Escape')]) {
    const wallet = await open();
    await refuse();
    await screen.findByText('You refused');
    expect(text()).toContain('Nothing was minted.');
    expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'refuse' }]);
    cleanup();
  }
});

test('an early click mints nothing, and a locked wallet shows the asset after it is unlocked, before it is minted', async () => {
  let locked = true;
  const { asset, feeSatoshis } = mintSample;
  const wallet = await open(
    {},
    {
      'approval/read': () => ({ ...mintSample, locked, ...(locked && { asset: null, feeSatoshis: null }) }),
      'vault/unlock': () => {
        locked = false;
        return null;
      },
    },
  );
  expect(asset && feeSatoshis && shown('name', 'locked')).toEqual([
    undefined,
    'Unlock your wallet to see the asset. Nothing is minted yet.',
  ]);
  expect(button().textContent).toBe('Unlock and review');
  fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'right' } });
  clock.ready = false;
  fireEvent.click(button());
  await screen.findByText(ERRORS['too-soon'].message);
  expect(wallet.asked('vault/unlock')).toEqual([]);
  clock.ready = true;
  fireEvent.click(button());
  await waitFor(() => expect(shown('name')).toEqual(['Garden hours']));
  expect(wallet.asked('approval/decide')).toEqual([]);
  expect(button().textContent).toBe('Mint');
});

test('a mint without enough money is blocked, shows why, and searches for money', async () => {
  const wallet = await open(
    { feeSatoshis: null, problem: { code: 'insufficient-funds', message: ERRORS['insufficient-funds'].message } },
    { 'wallet/refresh': () => null },
  );
  expect(button().disabled).toBe(true);
  expect(button().textContent).toBe('Can’t be minted');
  expect(text()).toContain(ERRORS['insufficient-funds'].message);
  await waitFor(() => expect(wallet.asked('wallet/refresh')).not.toEqual([]));
});
