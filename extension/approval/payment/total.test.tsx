import { cleanup, render } from '@testing-library/preact';
import { afterEach, expect, test } from 'vitest';
import type { ApprovalView, Rate } from '../../../protocol/messages/wallet-messages.ts';
import { approval } from '../../ui/window/fake-wallet.ts';
import { texts } from '../../ui/texts/texts.ts';
import { Total } from './total.tsx';

afterEach(cleanup);

const dollar: Rate = { currency: 'USD', price: '50', time: Date.now(), sources: 2 };
const euro: Rate = { currency: 'EUR', price: '45', time: Date.now(), sources: 2 };

function shown(view: Partial<ApprovalView>): { lines: string[]; warnings: number } {
  render(<Total view={{ ...approval, ...view }} />);
  const parts = (name: string) =>
    [...document.querySelectorAll(`[data-part=${name}]`)].map(({ textContent }) => textContent ?? '');
  return { lines: parts('rate'), warnings: parts('one-source').length };
}

test('the rate is shown once, with its age', () => {
  expect(shown({ rate: dollar, quotedRate: dollar })).toEqual({ lines: ['1 BSV = $50.00, now'], warnings: 0 });
});

test('the total is zero for a payment only to the user, even before the fee is known', () => {
  const outputs = approval.outputs.map((output) => ({ ...output, own: true }));
  shown({ outputs, feeSatoshis: null, totalSatoshis: null });
  expect(document.querySelector('[data-part=satoshis]')?.textContent).toBe('0 satoshis');
});

test.each<[string, Partial<ApprovalView>, string[], number]>([
  [
    'one source stands behind it now',
    { rate: { ...dollar, sources: 1 }, quotedRate: { ...dollar, sources: 1 } },
    ['1 BSV = $50.00, now'],
    1,
  ],
  [
    'one source stood behind it when it was worked out',
    { rate: dollar, quotedRate: { ...dollar, price: '5', sources: 1 } },
    ['1 BSV = $50.00, now', '1 BSV = $5.00, now'],
    1,
  ],
  [
    'it was requested in another currency',
    { rate: euro, quotedRate: dollar, currency: 'USD' },
    ['1 BSV = €45.00, now', '1 BSV = $50.00, now'],
    0,
  ],
  [
    'one source stands behind two of them',
    { rate: { ...euro, sources: 1 }, quotedRate: { ...dollar, sources: 1 }, currency: 'USD' },
    ['1 BSV = €45.00, now', '1 BSV = $50.00, now'],
    1,
  ],
  [
    'the user’s own currency has no rate',
    { rate: null, quotedRate: { ...dollar, sources: 1 } },
    ['1 BSV = $50.00, now'],
    1,
  ],
  [
    'it was requested in coins',
    { rate: { ...dollar, sources: 1 }, quotedRate: null, currency: 'BSV' },
    ['1 BSV = $50.00, now'],
    1,
  ],
  ['there is no rate at all', { rate: null, quotedRate: null, currency: 'BSV' }, [texts.rate.unknown], 0],
])('a note is shown if %s', (_, view, lines, warnings) => {
  expect(shown(view)).toEqual({ lines, warnings });
});
