import { cleanup, render } from '@testing-library/preact';
import { afterEach, expect, test, vi } from 'vitest';
import type { Rate } from '../../../protocol/messages/wallet-messages.ts';
import { RateAge } from './rate-age.tsx';
import { texts } from '../texts/texts.ts';

const NOW = 1_790_000_000_000;
const rate: Rate = { currency: 'USD', price: '50', time: NOW - 120_000, sources: 2 };
const part = (name: string) => document.querySelector(`[data-part=${name}]`)?.textContent;

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('shows the rate and its age, and updates them while the window stays open', async () => {
  vi.useFakeTimers({ now: NOW });
  render(<RateAge rate={rate} />);
  expect(part('rate')).toBe('1 BSV = $50.00, 2 minutes ago');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(part('rate')).toBe('1 BSV = $50.00, 3 minutes ago');
  expect(part('one-source')).toBeUndefined();
});

test('names the dollar for another currency, whose dollar rate has a single source', () => {
  vi.useFakeTimers({ now: NOW });
  render(<RateAge rate={{ ...rate, currency: 'EUR', price: '0.001', dollar: '50' }} />);
  expect(part('rate')).toBe('1 BSV = €0.001 ($50.00), 2 minutes ago');
});

test('warns if the rate has a single source', () => {
  render(<RateAge rate={{ ...rate, sources: 1 }} />);
  expect(part('rate')).toContain('1 BSV = $50.00');
  expect(part('one-source')).toBe(texts.rate.oneSource);
  expect(document.querySelector('[data-part=one-source]')?.className).toContain('warn');
});

test('explains why the rate is missing', () => {
  render(<RateAge rate={null} />);
  expect(part('rate')).toBe(texts.rate.unknown);
  cleanup();
  render(<RateAge rate={null} problem="rate-unavailable" />);
  expect(part('rate')).toBe(texts.rate.unknown);
  cleanup();
  render(<RateAge rate={null} problem="rates-differ" />);
  expect(part('rate')).toBe(texts.rate.differ);
  expect(document.querySelector('[data-part=rate]')?.className).toContain('warn');
});

test('the note is empty for amounts in BSV', () => {
  const { container } = render(<RateAge rate={{ currency: 'BSV', price: '1', time: NOW, sources: 2 }} />);
  expect(container.textContent).toBe('');
});
