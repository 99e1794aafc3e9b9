import { cleanup, fireEvent, render } from '@testing-library/preact';
import { afterEach, expect, test } from 'vitest';
import type { Overview } from '../../../protocol/messages/wallet-messages.ts';
import { overview } from '../../ui/window/fake-wallet.ts';
import { texts } from '../../ui/texts/texts.ts';
import { Balance } from './balance.tsx';
import { Notices } from './notices.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const part = (name: string) => document.querySelector(`[data-part=${name}]`)?.textContent;

test('the balance has the rate and its age', () => {
  render(<Balance overview={{ ...overview, rate: { currency: 'USD', price: '50', time: Date.now(), sources: 2 } }} />);
  expect(part('money')).toBe('$12.34');
  expect(part('satoshis')).toBe('24,680,000 satoshis');
  expect(part('rate')).toBe('1 BSV = $50.00, now');
});

test('a tap toggles between the currency and BSV, and the choice is remembered', () => {
  const shown: Overview = { ...overview, rate: { currency: 'USD', price: '50', time: Date.now(), sources: 2 } };
  render(<Balance overview={shown} />);
  const button = () => document.querySelector<HTMLButtonElement>('.balance-switch') as HTMLButtonElement;
  expect(button().title).toBe('Show in BSV');
  fireEvent.click(button());
  expect([part('money'), part('satoshis'), part('worth')]).toEqual(['0.2468 BSV', '24,680,000 satoshis', '$12.34']);
  expect(button().title).toBe('Show in USD');
  cleanup();
  render(<Balance overview={shown} />);
  expect(part('money')).toBe('0.2468 BSV');
  fireEvent.click(button());
  expect([part('money'), part('worth')]).toEqual(['$12.34', undefined]);
});

test('the currency cannot be toggled without a rate', () => {
  render(<Balance overview={{ ...overview, rate: null, rateProblem: 'rates-differ' }} />);
  expect(document.querySelector('.balance-switch')).toBeNull();
});

test('coins of one satoshi are shown as set aside if there are any', () => {
  render(<Balance overview={{ ...overview, keptApart: 0 }} />);
  expect(part('kept-apart')).toBeUndefined();
  cleanup();
  render(<Balance overview={{ ...overview, keptApart: 3 }} />);
  expect(part('kept-apart')).toBe(
    '3 coins of 1 satoshi are set aside and never spent as money, because they may hold tokens.',
  );
});

test('the balance is only in BSV while the sources of the rate differ, with the reason', () => {
  render(<Balance overview={{ ...overview, rate: null, rateProblem: 'rates-differ' }} />);
  expect(part('money')).toBe('0.2468 BSV');
  expect(part('rate')).toBe(texts.rate.differ);
});

test('history that is not read yet is reported as missing from the activity', () => {
  render(<Notices overview={{ ...overview, historyLeft: 7 }} />);
  expect(part('history')).toBe('Your activity isn’t complete yet: 7 past payments are still to be read.');
});

test('a history that can’t be listed in full is reported as missing from the activity', () => {
  render(<Notices overview={{ ...overview, isHistoryCut: true }} />);
  expect(part('history-cut')).toBe(
    'One of your addresses has more past payments than we can list. Some of them may be missing from your activity.',
  );
});

test('unread and unlisted coins are reported as missing from the balance', () => {
  render(<Notices overview={{ ...overview, unread: 1, crowded: 2 }} />);
  expect(part('unread')).toBe(
    '1 payment to you couldn’t be verified yet, so it isn’t in your balance. Your wallet will keep trying.',
  );
  expect(part('crowded')).toBe(
    '2 of your addresses have received more payments than we can list. Some of those coins may be missing from your balance.',
  );
});
