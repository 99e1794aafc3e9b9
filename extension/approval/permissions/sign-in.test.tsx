import { cleanup, fireEvent, screen, waitFor } from '@testing-library/preact';
import { expect, test } from 'vitest';
import { pressKey } from '../../../testing/press-key.ts';
import { ERRORS } from '../../../protocol/errors/service-error.ts';
import type { SignInView } from '../../../protocol/messages/wallet-messages.ts';
import { Refusal, signInSample } from '../../ui/window/fake-wallet.ts';
import { clock, close, id, openApproval, part, text, useApprovalWindow, type Handlers } from '../testing.tsx';

useApprovalWindow();

const open = (view: Partial<SignInView> = {}, handlers: Handlers = {}) =>
  openApproval({ ...signInSample, ...view }, handlers);

const signButton = () => document.querySelector<HTMLButtonElement>('[data-action=sign]') as HTMLButtonElement;

test('a sign-in shows the origin in full, the account, the consequences, and the signed text on demand', async () => {
  const wallet = await open();
  expect(part('origin')?.textContent).toBe('http://localhost:3000');
  expect(text()).toContain('asks you to sign in');
  expect(part('account')?.textContent).toBe('ada@localhost');
  expect(text()).toContain('The site can’t make payments with it');
  expect(part('foreign')).toBeNull();
  const signed = part('signed') as HTMLDetailsElement;
  expect(signed.open).toBe(false);
  expect(signed.querySelector('summary')?.textContent).toBe('Show what you’re signing');
  expect(signed.querySelector('pre')?.textContent).toBe(signInSample.text);
  expect(signButton().textContent).toBe('Sign in');
  fireEvent.click(signButton());
  fireEvent.click(signButton());
  await screen.findByText('Signed');
  expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'sign' }]);
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
});

test('a requested account shows its handle and name, with hidden characters', async () => {
  await open({ account: null, register: { handle: 'ada', name: 'Ada\u202e' } });
  expect(text()).toContain('asks to create an account for you');
  expect(part('handle')?.textContent).toBe('ada');
  expect(part('name')?.textContent).toBe('Ada⟨U+202E⟩');
  expect(signButton().textContent).toBe('Create account');
});

test('a site that is not the wallet’s service has a warning, and gets the bare key', async () => {
  await open({ origin: 'https://shop.example', account: null });
  expect(part('foreign')?.textContent).toContain('This isn’t the service your wallet uses (localhost:3000)');
  expect(part('foreign')?.textContent).not.toContain('all the addresses');
  expect(part('key')?.textContent).toBe(signInSample.publicKey);
  cleanup();
  await open({ origin: 'https://shop.example', account: null, register: { handle: 'ada', name: '' } });
  expect(part('foreign')?.textContent).toContain('It will learn all the addresses');
});

test('the button and Escape reject the sign-in', async () => {
  for (const refuse of [() => fireEvent.click(screen.getByText('Refuse')), () => pressKey('Escape')]) {
    const wallet = await open();
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
    await refuse();
    await screen.findByText('You refused');
    expect(text()).toContain('This site didn’t get a signature.');
    expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'refuse' }]);
    cleanup();
  }
});

test('an early click signs nothing, and a locked wallet unlocks first', async () => {
  clock.ready = false;
  let locked = true;
  const wallet = await open(
    {},
    {
      'approval/read': () => ({ ...signInSample, locked }),
      'vault/unlock': () => {
        locked = false;
        return null;
      },
    },
  );
  expect(signButton().textContent).toBe('Unlock and sign in');
  expect(signButton().disabled).toBe(true);
  fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'right' } });
  fireEvent.click(signButton());
  await screen.findByText(ERRORS['too-soon'].message);
  expect(wallet.asked('vault/unlock')).toEqual([]);
  clock.ready = true;
  fireEvent.click(signButton());
  await screen.findByText('Signed');
  expect(wallet.calls.map(({ method }) => method).filter((method) => method !== 'approval/read')).toEqual([
    'vault/unlock',
    'approval/decide',
  ]);
});

test('an ended sign-in is shown as such, without buttons', async () => {
  await open(
    {},
    {
      'approval/decide': () => {
        throw new Refusal('invalid-challenge');
      },
    },
  );
  fireEvent.click(signButton());
  await screen.findByText('This request has expired');
  expect(text()).toContain(ERRORS['invalid-challenge'].message);
  expect(signButton()).toBeNull();
});
