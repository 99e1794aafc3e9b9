import { beforeEach, describe, expect, test, vi } from 'vitest';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import { ServiceError, toPageError } from '../../protocol/errors/service-error.ts';
import { paymentOptions, requestId } from '../../protocol/payments/payment.ts';
import { ATTEMPTS_KEY } from './payment-attempts.ts';
import type { ServiceButton } from '../api.ts';
import { createServiceButton } from '../service-button.ts';
import { reply, settle, swipe, useRelay, type RelayRequest } from '../wallet/testing-relay.ts';

const to = writeAddress(new Uint8Array(20).fill(7), 'devnet');

const requests = useRelay();

describe('render', () => {
  let api: ServiceButton;
  let host: HTMLElement;
  beforeEach(() => {
    api = createServiceButton(window, null);
    host = document.createElement('div');
    document.body.append(host);
  });

  test('[E-03] [S-12] makes a button, updates it in place, removes it and makes it again', async () => {
    const handle = api.render(host, { to, amount: 0.1, label: 'One' });
    await settle();
    const text = () => host.shadowRoot!.querySelector('.label')?.textContent;
    expect(text()).toBe('One');
    expect(api.render(host, { to, amount: 1, label: 'Two' })).toBe(handle);
    expect(text()).toBe('Two');
    handle.update({ label: 'Three' });
    expect(text()).toBe('Three');
    expect(host.dataset.state).toBe('ready');
    handle.destroy();
    expect(host.dataset.state).toBeUndefined();
    expect(text()).toBeUndefined();
    api.render(host, { to, amount: 1, label: 'Four' });
    handle.destroy();
    expect(text()).toBe('Four');
  });

  test('throws only for nodes that can’t contain a button', () => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    api.render(host);
    expect(host.dataset).toMatchObject({ state: 'failed', reason: 'missing-recipient' });
    expect(error).toHaveBeenCalledOnce();
    expect(() => api.render(null as unknown as HTMLElement)).toThrow(TypeError);
  });

  test('a swipe sends the wallet the members of its contract, and keeps the ID until the outcome is known', async () => {
    const errors: string[] = [];
    const paid: unknown[] = [];
    api.render(host, {
      to,
      amount: '0.10',
      buttonId: 'b',
      onError: (error) => errors.push(error.code),
      onPayment: (payment) => paid.push(payment.id),
    });
    await settle();
    const swipes: RelayRequest[] = [];
    for (const answer of [
      { error: toPageError(new ServiceError('refused')) },
      { error: toPageError(new ServiceError('wallet-disconnected')) },
      { error: toPageError(new ServiceError('busy')) },
      { result: { payment: { id: 'p', amount: '0.10', currency: 'USD' } } },
    ]) {
      swipe(host);
      const request = requests.at(-1)!;
      swipes.push(request);
      expect(requestId.safeParse(request.params.id).success).toBe(true);
      expect(paymentOptions.safeParse(request.params.options).success).toBe(true);
      reply(request, answer);
      await settle();
    }
    const [refused, lost, busy, done] = swipes.map(({ params }) => params.id);
    expect(refused).not.toBe(lost);
    expect(busy).toBe(lost);
    expect(done).toBe(lost);
    expect(new Set(swipes.map(({ id }) => id)).size).toBe(4);
    expect(errors).toEqual(['refused', 'wallet-disconnected', 'busy']);
    expect(paid).toEqual(['p']);
    expect(sessionStorage.getItem(ATTEMPTS_KEY)).toBeNull();
  });

  test('a rejected request is not repeated automatically', async () => {
    api.render(host, { to, amount: '0.10' });
    await settle();
    for (const code of ['wallet-disconnected', 'refused'] as const) {
      swipe(host);
      reply(requests.at(-1)!, { error: toPageError(new ServiceError(code)) });
      await settle();
    }
    expect(host.dataset.state).toBe('error');
    expect(requests.filter(({ method }) => method === 'payment/request')).toHaveLength(2);
  });

  test.each([{}, { payment: null }, { payment: { id: 1 } }])(
    'a result %j without a payment is an error',
    async (result) => {
      api.render(host, { to, amount: '0.10' });
      await settle();
      swipe(host);
      reply(requests.at(-1)!, { result });
      await settle();
      expect(host.dataset.state).toBe('error');
    },
  );
});
