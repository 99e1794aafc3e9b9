import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/preact';
import { describe, expect, test, vi } from 'vitest';
import { ERRORS } from '../../protocol/errors/service-error.ts';
import type { AllowancePromptView, ApprovalView } from '../../protocol/messages/wallet-messages.ts';
import { pressKey } from '../../testing/press-key.ts';
import { passkeyTexts } from '../ui/texts/texts.ts';
import { allowance, allowanceSample, approval, Refusal } from '../ui/window/fake-wallet.ts';
import { clock, close, id, openApproval, part, text, useApprovalWindow, type Handlers } from './testing.tsx';

useApprovalWindow();

const open = (view: Partial<ApprovalView> = {}, handlers: Handlers = {}) =>
  openApproval({ ...approval, ...view }, handlers);

const payButton = () => document.querySelector<HTMLButtonElement>('[data-action=pay]') as HTMLButtonElement;

test('shows the site, the recipient, both amounts, the fee, and the amount on the button', async () => {
  await open();
  expect(part('origin')?.textContent).toBe('https://shop.example');
  expect(document.querySelector('[data-part=origin] strong')?.textContent).toBe('shop.example');
  expect(text()).toContain(approval.outputs[0]?.to);
  expect(text()).toContain('Address');
  expect(part('money')?.textContent).toBe('$0.10');
  expect(part('satoshis')?.textContent).toBe('200,012 satoshis');
  expect(part('fee')?.textContent).toContain('12 satoshis');
  expect(payButton().textContent).toBe('Pay $0.10');
});

test('the parts of the window have a fixed order', async () => {
  await open({ data: { text: 'hello', hex: '68656c6c6f', bytes: 5 } });
  const marks = [
    'https://shop.example',
    'mzJ2m4',
    'hello',
    '200,012 satoshis',
    'Network fee',
    'Refuse',
    'Pay $0.10',
  ].map((mark) => text().indexOf(mark));
  expect(marks).toEqual([...marks].sort((a, b) => a - b));
  expect(marks).not.toContain(-1);
});

test('the site’s label is in quotation marks, with hidden characters shown', async () => {
  await open({
    said: {
      label: 'Read\n it ”. The wallet says: \u202Efree',
      buttonData: `{"order":"${'x'.repeat(3000)}"}`,
      payerNote: null,
    },
  });
  expect(part('said')?.textContent).toBe('The site says: “\u2068Read it ’. The wallet says: ⟨U+202E⟩free\u2069”');
  const data = document.querySelector('details.said-data');
  expect(data?.hasAttribute('open')).toBe(false);
  expect(data?.querySelector('pre')?.textContent).toMatch(/^\{"order":"x{1990} …$/);
  cleanup();
  await open();
  expect([part('said'), document.querySelector('.said-data')]).toEqual([null, null]);
});

test('a payment that repeats a possibly unfinished one has a warning that both could be paid', async () => {
  await open({ mayPayTwice: true });
  expect(part('twice')?.textContent).toBe(
    'You may already have paid: an earlier payment may still go through. If you pay again, both could be paid.',
  );
  expect(part('twice')?.className).toContain('banner-warning');
  cleanup();
  await open();
  expect(part('twice')).toBeNull();
});

test('an application’s transaction with a newer version has a warning that others can change its ID', async () => {
  await open({ hasChangeableId: true });
  expect(part('changeable-id')?.textContent).toBe(
    'Until a block confirms this transaction, others can change its ID, but not what you pay.',
  );
  cleanup();
  await open();
  expect(part('changeable-id')).toBeNull();
});

test('the requested currency is shown if it is not the user’s own', async () => {
  await open({ amount: '0.09', currency: 'EUR' });
  expect(text()).toContain('Requested€0.09');
});

test('a service that gets a report without a user account is named, with the data it gets', async () => {
  await open({ reportedTo: 'pay.shop.example' });
  expect(part('reported-to')?.textContent).toBe('pay.shop.example');
  expect(part('reported-note')?.textContent).toBe(
    'It gets the payment and proof that it came from this wallet, but not your name or paymail.',
  );
  cleanup();
  await open();
  expect(part('reported-to')).toBeNull();
});

test('paying sends one approval to the background, then the window closes', async () => {
  const wallet = await open();
  fireEvent.click(payButton());
  fireEvent.click(payButton());
  await screen.findByText('You approved $0.10');
  expect(wallet.asked('approval/decide')).toEqual([
    { approvalId: id, decision: 'pay', feeSatoshis: approval.feeSatoshis },
  ]);
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
});

test('an approved payment shows its recipient until the window closes', async () => {
  await open({ outputs: [{ ...approval.outputs[0]!, type: 'PAYMAIL', to: 'ada@example.com' }] });
  fireEvent.click(payButton());
  await screen.findByText('You approved $0.10');
  expect(part('paid-to')?.textContent).toBe('To ada@example.com');
});

test('a fee of less than a cent is shown as such, with its satoshis', async () => {
  await open();
  expect(part('fee')?.textContent).toBe('under $0.01 (12 satoshis)');
});

test('the hint that there is more below shows only while recipients or data are', async () => {
  const marks: Element[] = [];
  let report: (isIntersecting: boolean) => void = () => undefined;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      seen: () => void;
      constructor(seen: () => void) {
        this.seen = seen;
      }
      observe() {
        this.seen();
      }
      disconnect() {}
    },
  );
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
        report = (isIntersecting) => seen([{ isIntersecting }]);
      }
      observe(mark: Element) {
        marks.push(mark);
      }
      disconnect() {}
    },
  );
  await open({ data: { text: 'thank you', hex: '', bytes: 9 } });
  await waitFor(() => expect(marks).not.toEqual([]));
  const mark = marks.at(-1) as Element;
  const { DOCUMENT_POSITION_FOLLOWING: after, DOCUMENT_POSITION_PRECEDING: before } = Node;
  expect(mark.compareDocumentPosition(screen.getByText('thank you')) & before).toBeTruthy();
  expect(mark.compareDocumentPosition(part('fee') as Element) & after).toBeTruthy();
  await act(async () => report(false));
  screen.getByText('Scroll for more');
  await act(async () => report(true));
  expect(screen.queryByText('Scroll for more')).toBeNull();
  vi.unstubAllGlobals();
});

test('the button and Escape reject the payment', async () => {
  const wallet = await open();
  fireEvent.click(screen.getByText('Refuse'));
  await screen.findByText('You refused');
  expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'refuse' }]);
  cleanup();
  const second = await open();
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
  await pressKey('Escape');
  await screen.findByText('You refused');
  expect(second.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'refuse' }]);
});

describe('keys', () => {
  test('Ctrl or Cmd with Enter approves like the button', async () => {
    for (const held of [{ ctrlKey: true }, { metaKey: true }]) {
      const wallet = await open();
      await pressKey('Enter', held);
      await screen.findByText('You approved $0.10');
      expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'pay', feeSatoshis: '12' }]);
      cleanup();
    }
  });

  test('keys held down before the window opens do nothing', async () => {
    clock.ready = false;
    const wallet = await open();
    await pressKey('Enter', { ctrlKey: true });
    await screen.findByText(ERRORS['too-soon'].message);
    await pressKey('Escape');
    expect(wallet.asked('approval/decide')).toEqual([]);
  });

  test('repeated, untrusted and modified keys are ignored', async () => {
    const wallet = await open();
    await pressKey('Enter', { ctrlKey: true, repeat: true });
    await pressKey('Escape', { repeat: true });
    fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
    fireEvent.keyDown(document.body, { key: 'Escape' });
    await pressKey('Enter');
    await pressKey('Enter', { ctrlKey: true, shiftKey: true });
    await pressKey('Enter', { ctrlKey: true, altKey: true });
    const held = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true, cancelable: true });
    payButton().dispatchEvent(held);
    expect(held.defaultPrevented).toBe(true); // Otherwise, the held key would click the button.
    expect(wallet.asked('approval/decide')).toEqual([]);
  });

  test('keys approve nothing without the password or for an impossible payment', async () => {
    const locked = await open({ locked: true }, { 'passkeys/list': () => ({ passkeys: [] }) });
    await pressKey('Enter', { ctrlKey: true });
    expect(document.activeElement).toBe(screen.getByLabelText('Password'));
    expect(locked.asked('vault/unlock')).toEqual([]);
    expect(locked.asked('approval/decide')).toEqual([]);
    // Shortcuts don't interrupt typing.
    await pressKey('Escape');
    await pressKey('?');
    expect(document.querySelector('dialog')).toBeNull();
    expect(locked.asked('approval/decide')).toEqual([]);
    cleanup();
    const short = await open({ problem: { code: 'insufficient-funds', message: '' } });
    await pressKey('Enter', { ctrlKey: true });
    expect(short.asked('approval/decide')).toEqual([]);
  });

  test('a question mark lists the keys, and Escape closes only that list', async () => {
    const wallet = await open();
    await pressKey('?');
    expect(part('shortcuts')?.textContent).toContain('Refuse, or go back');
    await pressKey('Enter', { ctrlKey: true });
    await pressKey('Escape', { target: document.querySelector('dialog') as Element });
    expect(document.querySelector('dialog')).toBeNull();
    expect(wallet.asked('approval/decide')).toEqual([]);
    await pressKey('Escape');
    await screen.findByText('You refused');
  });
});

test('an early click is ignored, and the window explains why', async () => {
  clock.ready = false;
  const wallet = await open();
  fireEvent.click(payButton());
  await screen.findByText(ERRORS['too-soon'].message);
  expect(wallet.asked('approval/decide')).toEqual([]);
  clock.ready = true;
  fireEvent.click(payButton());
  await screen.findByText('You approved $0.10');
});

test('an early click restarts the wait, so repeated clicks never count', async () => {
  clock.ready = false;
  await open();
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
  const before = clock.restarts;
  fireEvent.click(payButton());
  await screen.findByText(ERRORS['too-soon'].message);
  expect(clock.restarts).toBe(before + 1);
});

test('a locked wallet is unlocked in the same window, and a wrong password loses nothing', async () => {
  let locked = true;
  const wallet = await open(
    {},
    {
      'approval/read': () => ({ ...approval, locked }),
      'vault/unlock': ({ password }) => {
        if (password !== 'right') throw new Refusal('wrong-password');
        locked = false;
        return null;
      },
    },
  );
  expect(payButton().textContent).toBe('Unlock and pay $0.10');
  expect(payButton().disabled).toBe(true);
  const field = screen.getByLabelText<HTMLInputElement>('Password');
  fireEvent.input(field, { target: { value: 'wrong' } });
  fireEvent.click(payButton());
  await screen.findByText(ERRORS['wrong-password'].message);
  expect(wallet.asked('approval/decide')).toEqual([]);
  expect(payButton().textContent).toBe('Unlock and pay $0.10');
  fireEvent.input(field, { target: { value: 'right' } });
  fireEvent.click(payButton());
  await screen.findByText('You approved $0.10');
  expect(wallet.asked('approval/decide')).toEqual([
    { approvalId: id, decision: 'pay', feeSatoshis: approval.feeSatoshis },
  ]);
});

test('a passkey unlocks in the same window, only after the wait, and decides nothing by itself', async () => {
  let locked = true;
  const touch = vi.fn(async () => new Touched());
  class Touched {
    readonly rawId = new Uint8Array([1]).buffer;
    getClientExtensionResults = () => ({ prf: { results: { first: new Uint8Array(32) } } });
  }
  vi.stubGlobal('PublicKeyCredential', Touched);
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get: touch } });
  clock.ready = false;
  const wallet = await open(
    {},
    {
      'approval/read': () => ({ ...approval, locked }),
      'passkeys/list': () => ({
        passkeys: [{ id: 'AQ', salt: 'A'.repeat(43), name: 'Laptop', createdAt: 0, usedAt: null }],
      }),
      'vault/unlock-with-passkey': () => {
        locked = false;
        return null;
      },
    },
  );
  fireEvent.click(await screen.findByText(passkeyTexts.unlock));
  await screen.findByText(ERRORS['too-soon'].message);
  expect(touch).not.toHaveBeenCalled();
  clock.ready = true;
  const before = clock.restarts;
  fireEvent.click(screen.getByText(passkeyTexts.unlock));
  await waitFor(() => expect(clock.restarts).toBeGreaterThan(before));
  expect(locked).toBe(false);
  expect(wallet.asked('approval/decide')).toEqual([]);
  vi.unstubAllGlobals();
});

test('if the payment fails after the wallet was unlocked, the window no longer requires the password', async () => {
  let locked = true;
  await open(
    {},
    {
      'approval/read': () => ({ ...approval, locked }),
      'vault/unlock': () => {
        locked = false;
        return null;
      },
      'approval/decide': () => {
        throw new Refusal('fee-changed');
      },
    },
  );
  fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'right' } });
  fireEvent.click(payButton());
  await screen.findByText(ERRORS['fee-changed'].message);
  expect(screen.queryByLabelText('Password')).toBeNull();
  expect(payButton().textContent).toBe('Pay $0.10');
});

test('a permanent failure shows its reason, not only that the payment is over', async () => {
  let gone = false;
  await open(
    {},
    {
      'approval/read': () => {
        if (gone) throw new Refusal('approval-unknown');
        return approval;
      },
      'approval/decide': () => {
        gone = true;
        throw new Refusal('insufficient-funds');
      },
    },
  );
  fireEvent.click(payButton());
  await screen.findByText(ERRORS['insufficient-funds'].message);
  expect(text()).toContain('That didn’t work');
});

test('an approval whose response was lost isn’t shown as failed, as it may have been stored', async () => {
  let gone = false;
  await open(
    {},
    {
      'approval/read': () => {
        if (gone) throw new Refusal('approval-unknown');
        return approval;
      },
      'approval/decide': () => {
        gone = true;
        throw new Error('A listener indicated an asynchronous response, but the message channel closed');
      },
    },
  );
  fireEvent.click(payButton());
  await screen.findByText('This payment is over');
  expect(text()).toContain('See your activity for what was paid.');
  expect(text()).not.toContain('That didn’t work');
});

test('insufficient funds are shown, block the payment, and start a search for coins immediately', async () => {
  const wallet = await open({
    problem: { code: 'insufficient-funds', message: ERRORS['insufficient-funds'].message },
    feeSatoshis: null,
    totalSatoshis: null,
    balanceSatoshis: '5000',
  });
  expect(text()).toContain(ERRORS['insufficient-funds'].message);
  expect(text()).toContain('You need $0.10 and have $0.0025.');
  expect(payButton().disabled).toBe(true);
  await waitFor(() => expect(wallet.asked('wallet/refresh')).toHaveLength(1));
});

test('a balance that includes change from an unaccepted payment isn’t shown as too low', async () => {
  await open({
    network: 'devnet',
    problem: { code: 'insufficient-funds', message: ERRORS['insufficient-funds'].message },
    awaitsChange: true,
    feeSatoshis: null,
    totalSatoshis: null,
    balanceSatoshis: '9800000',
  });
  expect(text()).toContain('You have $4.90, but part of it is change from a payment that is still being sent.');
  expect(text()).not.toContain('You need');
  expect(screen.queryByRole('button', { name: /test coins/i })).toBeNull();
});

describe('a payment without enough money', () => {
  const short = {
    problem: { code: 'insufficient-funds', message: ERRORS['insufficient-funds'].message },
    feeSatoshis: null,
    totalSatoshis: null,
    balanceSatoshis: '0',
    receiveAddress: 'mzJ2m4DBEMnr9KPCsvfj8vfkvxjJqPHqfC',
  } as const;

  test('devnet’s faucet is one click away, and the payment continues when its coins arrive', async () => {
    let view: Partial<ApprovalView> = short;
    const wallet = await open(
      {},
      {
        'approval/read': () => ({ ...approval, network: 'devnet', ...view }),
        'wallet/faucet': () => {
          view = {};
          return { txid: 'ab'.repeat(32) };
        },
      },
    );
    expect(payButton().disabled).toBe(true);
    fireEvent.click(screen.getByText('Get free test coins'));
    await screen.findByText('Coins are on their way.');
    expect(wallet.asked('wallet/faucet')).toEqual([{ satoshis: 10_000_000 }]);
    const news = new BroadcastChannel('service-button-changes');
    await waitFor(() => {
      if (payButton().disabled) news.postMessage(null);
      expect(payButton().disabled).toBe(false);
    });
    news.close();
    expect(screen.queryByText('Get free test coins')).toBeNull();
  });

  test.each([
    ['testnet', 'public BSV testnet faucet'],
    ['mainnet', 'another wallet'],
  ] as const)('the address, its code and the sources of coins are shown on %s', async (network, source) => {
    await open({ ...short, network });
    expect(text()).toContain(source);
    expect(document.querySelector('svg[role=img]')?.getAttribute('aria-label')).toContain(short.receiveAddress);
    expect(text().replaceAll(/\s/g, '')).toContain(short.receiveAddress);
    expect(screen.queryByText('Get free test coins')).toBeNull();
  });
});

test('an ended payment is shown as ended', async () => {
  await open(
    {},
    {
      'approval/read': () => {
        throw new Refusal('approval-unknown');
      },
    },
  );
  await screen.findByText('This payment is over');
  fireEvent.click(screen.getByText('Close window'));
  expect(close).toHaveBeenCalled();
});

test('a signed payment that could not be sent yet is not offered again', async () => {
  await open(
    {},
    {
      'approval/decide': () => {
        throw new Refusal('payment-pending');
      },
    },
  );
  fireEvent.click(payButton());
  await screen.findByText(ERRORS['payment-pending'].message);
  expect(document.querySelector('[data-action=pay]')).toBeNull();
});

test('hidden characters, data and foreign letters of a page cannot deceive', async () => {
  await open({
    origin: 'https://xn--pypal-4ve.com',
    outputs: [{ ...approval.outputs[0]!, type: 'PAYMAIL', to: 'ada\u202E@example.com' }],
    data: { text: null, hex: 'ff00', bytes: 2 },
  });
  expect(text()).toContain('xn--pypal-4ve.com');
  expect(text()).toContain('letters from another alphabet');
  expect(text()).toContain('ada⟨U+202E⟩@example.com');
  expect(text()).toContain('ff00');
});

test('a window whose approval is no longer known shows that the payment is over, and closes; other errors don’t close it', async () => {
  let trouble: 'wallet-disconnected' | 'approval-unknown' | null = null;
  const wallet = await open(
    {},
    {
      'approval/read': () => {
        if (trouble) throw new Refusal(trouble);
        return approval;
      },
    },
  );
  const news = new BroadcastChannel('service-button-changes');
  for (const code of [null, 'wallet-disconnected', 'approval-unknown'] as const) {
    expect(text()).not.toContain('This payment is over');
    trouble = code;
    const looks = wallet.asked('approval/read').length;
    await waitFor(() => {
      news.postMessage(null); // Repeated, because the window might not be listening yet.
      expect(wallet.asked('approval/read').length).toBeGreaterThan(looks);
    });
  }
  await screen.findByText('This payment is over');
  await waitFor(() => expect(close).toHaveBeenCalled());
  news.close();
});

test('the focus starts on no button', async () => {
  await open();
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
});

test('a response that was already in transit does not replace the message of a decision', async () => {
  let late: ((reason: Refusal) => void) | undefined;
  let reads = 0;
  await open(
    { locked: true },
    {
      'approval/read': () =>
        (reads += 1) === 1 ? { ...approval, locked: true } : new Promise((_, reject) => (late = reject)),
      'vault/unlock': () => null,
    },
  );
  const news = new BroadcastChannel('service-button-changes');
  await waitFor(() => {
    if (late === undefined) news.postMessage(null);
    expect(late).toBeDefined();
  });
  news.close();
  fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'violet-harbour-mango-42' } });
  fireEvent.click(payButton());
  await screen.findByText('You approved $0.10');
  await act(async () => late?.(new Refusal('approval-unknown')));
  expect(text()).toContain('You approved $0.10');
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
});

describe('an allowance', () => {
  const amountField = () => part('allowance-amount') as HTMLInputElement;
  const unfold = () => fireEvent.click(screen.getByText('Allow this site…'));
  const turnOn = () => fireEvent.click(part('grant-on') as HTMLInputElement);

  test('an existing allowance shows the remaining amount, its next period, and a shortfall', async () => {
    await open({ allowance: { ...allowance, perPayment: '1', short: 'used-up' } });
    expect(part('allowance-left')?.textContent).toBe('$3.25 of $5.00 a week');
    expect(text()).toContain('Resets Mon, Nov 23, 12:00 AM');
    expect(text()).toContain('Per payment$1.00');
    expect(text()).toContain('There isn’t enough left');
    const order = ['Network fee', 'Allowance for this site', 'Allow this site…', 'Refuse'].map((mark) =>
      text().indexOf(mark),
    );
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  test('the form is collapsed and off by default, and paying grants no allowance', async () => {
    const wallet = await open();
    expect(part('grant-on')).toBeNull();
    unfold();
    expect((part('grant-on') as HTMLInputElement).checked).toBe(false);
    expect(payButton().textContent).toBe('Pay $0.10');
    fireEvent.click(payButton());
    await screen.findByText('You approved $0.10');
    expect(wallet.asked('approval/decide')).toEqual([
      { approvalId: id, decision: 'pay', feeSatoshis: approval.feeSatoshis },
    ]);
  });

  test('an allowance that is turned on must be complete, shows its effect, and is granted with the payment', async () => {
    const wallet = await open();
    unfold();
    turnOn();
    expect(payButton().disabled).toBe(true);
    fireEvent.input(amountField(), { target: { value: '7,50' } });
    expect(text()).toContain(
      'When you swipe to pay on this site, it’s paid right away, without this window, up to $7.50 a week including network fees.',
    );
    expect(text()).toContain('Never more than 0.225 BSV ($11.25 now), even if the exchange rate changes.');
    expect(text()).toContain('every Monday at 00:00, your time');
    fireEvent.change(screen.getByLabelText('Per'), { target: { value: 'month' } });
    expect(text()).toContain('on the 1st of each month');
    fireEvent.input(screen.getByLabelText('Limit per payment'), { target: { value: '8' } });
    expect(payButton().disabled).toBe(true);
    fireEvent.blur(screen.getByLabelText('Limit per payment'));
    expect(text()).toContain('This is more than the allowance itself.');
    fireEvent.input(screen.getByLabelText('Limit per payment'), { target: { value: '0.5' } });
    expect(payButton().textContent).toBe('Pay $0.10 and allow $7.50 a month');
    fireEvent.click(payButton());
    await screen.findByText('You approved $0.10');
    expect(wallet.asked('approval/decide')).toEqual([
      {
        approvalId: id,
        decision: 'pay',
        feeSatoshis: approval.feeSatoshis,
        grant: {
          amount: '7.50',
          currency: 'USD',
          period: 'month',
          perPayment: '0.5',
          rate: { price: '50', dollar: '50' },
        },
      },
    ]);
  });

  test('an allowance above the balance in any currency has a warning, and can still be granted', async () => {
    await open({ balanceSatoshis: '10000000' }); // 0.1 BSV, worth 5 USD
    unfold();
    turnOn();
    const warning = () => part('above-balance')?.textContent;
    for (const [currency, enough, tooMuch] of [
      ['USD', '5', '5.01'],
      ['BSV', '0.1', '0.10000001'],
    ] as const) {
      fireEvent.change(screen.getByLabelText('Currency'), { target: { value: currency } });
      fireEvent.input(amountField(), { target: { value: enough } });
      expect(warning()).toBeUndefined();
      fireEvent.input(amountField(), { target: { value: tooMuch } });
      expect(warning()).toBe('This is more than your current balance ($5.00).');
      expect(payButton().disabled).toBe(false);
    }
  });

  test.each(['', '0', '-1', '1,000', 'abc', '0.000000001', '1e3'])(
    'an amount of %j is not an allowance',
    async (typed) => {
      await open();
      unfold();
      turnOn();
      fireEvent.input(amountField(), { target: { value: typed } });
      expect(payButton().disabled).toBe(true);
    },
  );

  test('an allowance that is collapsed again is not granted', async () => {
    const wallet = await open();
    unfold();
    turnOn();
    fireEvent.input(amountField(), { target: { value: '5' } });
    unfold();
    fireEvent.click(payButton());
    await screen.findByText('You approved $0.10');
    expect(wallet.asked('approval/decide')[0]).not.toHaveProperty('grant');
  });

  test('the form is expanded and off for a page that pays automatically, and says that the page does', async () => {
    await open({ automatic: true, clientIdentifier: 'app\u202E' });
    expect((part('grant-on') as HTMLInputElement).checked).toBe(false);
    expect(text()).toContain('Let this site pay by itself');
    turnOn();
    fireEvent.input(amountField(), { target: { value: '5' } });
    expect(text()).toContain('can then pay by itself, without asking you, up to $5.00 a week');
    expect(text()).toContain('app⟨U+202E⟩');
  });
});

describe('a page that pays automatically and suggests an allowance', () => {
  const wanted = {
    suggested: { amount: '2', currency: 'USD' },
    minimum: { amount: '0.5', currency: 'USD' },
    hadOne: false,
  };
  const isOn = () => (part('grant-on') as HTMLInputElement).checked;
  const amount = () => document.querySelector<HTMLInputElement>('[data-part=allowance-amount]')?.value;
  const turn = () => fireEvent.click(part('grant-on') as HTMLInputElement);

  test('the first payment has the form filled in, its button names the allowance, and the user can change it', async () => {
    const wallet = await open({ automatic: true, wanted });
    expect([isOn(), amount(), payButton().textContent]).toEqual([true, '2', 'Pay $0.10 and allow $2.00 a week']);
    expect(text()).not.toContain('says it needs at least');
    fireEvent.input(part('allowance-amount') as HTMLInputElement, {
      target: { value: '0.4' },
    });
    expect(text()).toContain('says it needs at least $0.50');
    fireEvent.click(payButton());
    await screen.findByText('You approved $0.10');
    expect(wallet.asked('approval/decide')).toMatchObject([
      { decision: 'pay', grant: { amount: '0.4', currency: 'USD', period: 'week' } },
    ]);
  });

  test('no allowance is granted if the user turns it off', async () => {
    const wallet = await open({ automatic: true, wanted });
    turn();
    expect(payButton().textContent).toBe('Pay $0.10');
    fireEvent.click(payButton());
    await screen.findByText('You approved $0.10');
    expect(wallet.asked('approval/decide')[0]).not.toHaveProperty('grant');
  });

  test.each<[string, Partial<ApprovalView>]>([
    ['the user revoked an earlier one', { wanted: { ...wanted, hadOne: true } }],
    ['it has one, which is used up', { wanted, allowance: { ...allowance, automatic: true, short: 'used-up' } }],
    [
      'the suggested currency has no rate',
      { wanted: { ...wanted, suggested: { amount: '2', currency: 'EUR' }, minimum: null } },
    ],
  ])('the allowance is off if %s', async (_, view) => {
    await open({ automatic: true, ...view });
    expect(isOn()).toBe(false);
    turn();
    expect(amount()).toBe(view.wanted?.minimum ? '2' : '');
  });
});

describe('a site that requests an allowance', () => {
  const grantButton = () => document.querySelector<HTMLButtonElement>('[data-action=grant]') as HTMLButtonElement;
  async function openAsk(view: Partial<AllowancePromptView> = {}, handlers: Handlers = {}) {
    return open({}, { 'approval/read': () => ({ ...allowanceSample, ...view }), ...handlers });
  }

  test('the site is named in full, the form starts with its suggestion, and the user’s amount is granted', async () => {
    const wallet = await openAsk();
    expect(part('origin')?.textContent).toBe('https://game.example');
    expect(text()).toContain('wants to make payments by itself');
    expect(text()).toContain('Application (named by the site): space-game');
    expect(grantButton().textContent).toBe('Allow $2.00 a week');
    expect(text()).toContain('Never more than 0.06 BSV ($3.00 now)');
    fireEvent.input(screen.getByLabelText('Up to'), { target: { value: '3' } });
    fireEvent.change(screen.getByLabelText('Per'), { target: { value: 'day' } });
    fireEvent.click(grantButton());
    fireEvent.click(grantButton());
    await screen.findByText('Allowance given');
    expect(wallet.asked('approval/decide')).toEqual([
      {
        approvalId: id,
        decision: 'grant',
        grant: { amount: '3', currency: 'USD', period: 'day', perPayment: null, rate: { price: '50', dollar: '50' } },
      },
    ]);
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
  });

  test('an amount in another currency is also shown in the user’s own, even if the site suggested it', async () => {
    await openAsk({ suggested: { amount: '0.1', currency: 'BSV' }, minimum: null });
    expect(grantButton().textContent).toBe('Allow 0.1 BSV a week');
    expect(text()).toContain('About $5.00 right now.');
    expect(text()).not.toContain('Never more than'); // Only amounts in other currencies have a maximum in BSV.
    fireEvent.change(screen.getByLabelText('Currency'), { target: { value: 'USD' } });
    expect(text()).not.toContain('right now.');
  });

  test('an amount below the site’s need has a warning in any currency, and can still be granted', async () => {
    await openAsk();
    const warning = 'says it needs at least $0.50';
    expect(text()).not.toContain(warning);
    fireEvent.input(screen.getByLabelText('Up to'), { target: { value: '0.49' } });
    expect(text()).toContain(warning);
    fireEvent.change(screen.getByLabelText('Currency'), { target: { value: 'BSV' } });
    expect(text()).not.toContain(warning); // 0.49 BSV is 24.50 USD.
    fireEvent.input(screen.getByLabelText('Up to'), { target: { value: '0.0099' } });
    expect(text()).toContain(warning);
    expect(grantButton().disabled).toBe(false);
  });

  test('a suggestion above the balance has a warning', async () => {
    await openAsk({ balanceSatoshis: '0' });
    expect(text()).toContain('This is more than your current balance ($0.00).');
  });

  test('the button and Escape reject the allowance', async () => {
    for (const refuse of [() => fireEvent.click(screen.getByText('Refuse')), () => pressKey('Escape')]) {
      const wallet = await openAsk();
      await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
      await refuse();
      await screen.findByText('You refused');
      expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'refuse' }]);
      cleanup();
    }
  });

  test('an early click is ignored, and a locked wallet needs its password', async () => {
    clock.ready = false;
    let locked = true;
    const wallet = await openAsk(
      {},
      {
        'approval/read': () => ({ ...allowanceSample, locked }),
        'vault/unlock': () => {
          locked = false;
          return null;
        },
      },
    );
    expect(grantButton().textContent).toBe('Unlock and allow $2.00 a week');
    expect(grantButton().disabled).toBe(true);
    fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'right' } });
    fireEvent.click(grantButton());
    await screen.findByText(ERRORS['too-soon'].message);
    expect(wallet.asked('vault/unlock')).toEqual([]);
    clock.ready = true;
    fireEvent.click(grantButton());
    await screen.findByText('Allowance given');
    expect(wallet.asked('approval/decide')).toHaveLength(1);
  });
});

test('a site that was rejected twice can be blocked, which also rejects the request', async () => {
  const wallet = await open({ mayBlock: true });
  expect(text()).toContain('You’ve refused this site twice just now.');
  fireEvent.click(screen.getByText('Block for a day'));
  await screen.findByText('Site blocked');
  expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'refuse', blockHours: 24 }]);
  cleanup();
  await open();
  expect(text()).not.toContain('Block for');
});

test('a browser profile that a newer version has used is reported, with advice', async () => {
  await open(
    {},
    {
      'approval/read': () => {
        throw new Refusal('wallet-outdated');
      },
    },
  );
  expect(text()).toContain(ERRORS['wallet-outdated'].message);
  expect(document.querySelector('[data-action=pay]')).toBeNull();
});
