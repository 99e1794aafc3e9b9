import { waitFor } from '@testing-library/preact';
import { describe, expect, test } from 'vitest';
import type { ApprovalView, ShownOutput } from '../../../protocol/messages/wallet-messages.ts';
import { approval } from '../../ui/window/fake-wallet.ts';
import { openApproval, part, text, useApprovalWindow } from '../testing.tsx';

useApprovalWindow();

const ID = `${'ab'.repeat(32)}_0`;
const [money] = approval.outputs as [ShownOutput];
const paid: ShownOutput = {
  ...money,
  amount: '7.5',
  currency: 'gold@pay.example',
  satoshis: '1',
  token: { id: ID, units: '750' },
};
const asset = {
  id: ID,
  symbol: 'GO\u202eLD',
  decimals: 2,
  word: 'chain',
  name: 'gold@pay.example',
  namedBy: 'pay.example',
  units: '750',
  held: '1200',
} as const;
const view: ApprovalView = {
  ...approval,
  outputs: [paid],
  asset,
  amount: '7.5',
  currency: paid.currency,
  satoshis: '1',
  totalSatoshis: '13',
  quotedRate: null,
  allowanceRates: [],
};
const plain = (of: string | null | undefined) => (of ?? '').replaceAll(/[\u2066-\u2069]/g, '');
const pay = () => plain(document.querySelector('button[data-action=pay]')?.textContent);

describe('a payment in tokens', () => {
  test('shows amount, token, its source and the balance, and no satoshi amount', async () => {
    await openApproval(view);
    expect(plain(part('token-total')?.textContent)).toBe('7.5 GO⟨U+202E⟩LD');
    expect(pay()).toBe('Pay 7.5 GO⟨U+202E⟩LD');
    expect(part('token-id')?.textContent).toBe(ID);
    expect(plain(part('named-by')?.textContent)).toBe('gold@pay.example, according to pay.example');
    expect(plain(part('held')?.textContent)).toBe('12 GO⟨U+202E⟩LD');
    expect(part('index-word')).toBeNull();
    expect(part('satoshis')).toBeNull();
    expect(text()).not.toContain('1 satoshi');
    // No allowance is offered.
    expect(document.querySelector('[name=grant], [data-part=grant]')).toBeNull();
  });

  test('a payment of tokens and money names both', async () => {
    await openApproval({
      ...view,
      outputs: [paid, money],
      amount: '0.10',
      currency: 'USD',
      satoshis: '200001',
      totalSatoshis: '200013',
    });
    expect(pay()).toBe('Pay 7.5 GO⟨U+202E⟩LD + $0.10');
    expect(part('satoshis')?.textContent).toContain('200,013');
  });

  test('warns if only the index vouches for a token, and names no one if the page gave the ID', async () => {
    const { namedBy: _, ...own } = asset;
    await openApproval({ ...view, asset: { ...own, word: 'index' } });
    expect(part('index-word')?.textContent).toContain('relies on the index');
    expect(part('named-by')).toBeNull();
  });

  test('searches once for more if the balance is too low', async () => {
    const problem = { code: 'insufficient-assets', message: 'Too little.' } as const;
    const wallet = await openApproval(
      { ...view, problem, feeSatoshis: null, totalSatoshis: null },
      { 'assets/refresh': () => null },
    );
    expect(text()).toContain('Too little.');
    await waitFor(() => expect(wallet.asked('assets/refresh')).toHaveLength(1));
    expect(pay()).toBe('Can’t be paid');
  });
});
