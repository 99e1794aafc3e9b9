import { cleanup, render } from '@testing-library/preact';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { RecipientHost } from '../../../protocol/messages/wallet-messages.ts';
import { RecipientHostFacts } from './recipient-host.tsx';

vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: async () => ({ result: { picture: null } }) } },
}));

afterEach(cleanup);

const host: RecipientHost = {
  paymail: 'bob@two.example',
  host: 'pay.two.example:8443',
  name: 'Bob Builder',
  known: false,
  keyChangedSince: null,
};
const shown = (changes: Partial<RecipientHost>, to = 'bob@two.example') =>
  render(<RecipientHostFacts host={{ ...host, ...changes }} to={to} />).container;
const part = (name: string) => document.querySelector(`[data-part=${name}]`)?.textContent ?? null;

describe('what a recipient’s host returned', () => {
  test('[S-08] the profile’s name is shown as such, the host with its port, and a first payment is marked', () => {
    expect(shown({}).textContent).toBe(
      'Name (unverified)Bob BuilderHostpay.two.example:8443You haven’t paid this recipient before.',
    );
  });

  test('a known recipient is marked as known, without a name if there is no profile', () => {
    expect(shown({ known: true, name: null }).textContent).toBe(
      'Hostpay.two.example:8443You’ve paid this recipient before.',
    );
  });

  test('[S-09] a user ID is shown with the paymail that is paid, regardless of case', () => {
    shown({}, '42');
    expect(part('host-paymail')).toBe('bob@two.example');
    cleanup();
    shown({}, ' Bob@Two.example ');
    expect(part('host-paymail')).toBeNull();
  });

  test('[S-09] the service that resolved the user ID is named next to the host that responded', () => {
    shown({ namedBy: 'shop.example' }, '75101');
    expect(part('named-by')).toBe('shop.example');
    expect(part('host')).toBe('pay.two.example:8443');
    cleanup();
    shown({});
    expect(part('named-by')).toBeNull();
  });

  test('a changed key has a warning, with the date since which the old one was known', () => {
    shown({ known: true, keyChangedSince: Date.UTC(2026, 10, 5, 12) });
    expect(part('key-changed')).toMatch(/key is different from the one your wallet has known since Nov 5, 2026/);
    cleanup();
    shown({ known: true });
    expect(part('key-changed')).toBeNull();
  });

  test('a host that no longer returns the known key is not shown as known', () => {
    shown({ known: true, keyUnavailable: true });
    expect(part('key-unavailable')).toMatch(/isn’t providing its key right now/);
    expect(document.querySelector('[data-part=known] svg')).toBeNull();
  });

  test('a different host, or a different paymail of a saved user ID, is reported and not shown as known', () => {
    shown({ known: true, hostBefore: 'old.example' });
    expect(part('host-changed')).toMatch(/^Its host used to be old.example/);
    expect(document.querySelector('[data-part=known] svg')).toBeNull();
    cleanup();
    render(<RecipientHostFacts host={{ ...host, known: true }} to="42" paymailBefore="ann@two.example" />);
    expect(part('named-anew')).toMatch(/this user ID belonged to ann@two.example/);
    expect(document.querySelector('[data-part=known] svg')).toBeNull();
  });

  test('a profile’s name cannot reorder or hide text, nor push the rest out of view', () => {
    shown({ name: `‮eve ${'x'.repeat(5000)}` });
    expect(part('profile-name')).toMatch(/^⟨U\+202E⟩eve x+ …$/);
    expect(part('profile-name')?.length).toBeLessThan(120);
  });
});
