import { cleanup, render, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { approval } from '../window/fake-wallet.ts';
import { Recipients } from '../../approval/payment/recipients.tsx';
import { HostAvatar } from './recipient-host.tsx';
import { Avatar, colorOf, initialsOf } from './avatar.tsx';
import type { RecipientHost, ShownOutput } from '../../../protocol/messages/wallet-messages.ts';

const background = vi.hoisted(() => ({ sendMessage: vi.fn() }));
vi.mock('webextension-polyfill', () => ({ default: { runtime: background } }));

const PICTURE = 'data:image/png;base64,AAAA';
const host: RecipientHost = {
  paymail: 'bob@two.example',
  host: 'two.example',
  name: null,
  known: true,
  keyChangedSince: null,
};

beforeEach(() => {
  background.sendMessage.mockReset().mockResolvedValue({ result: { picture: PICTURE } });
});
afterEach(cleanup);

const asked = () => background.sendMessage.mock.calls.map(([message]) => message);
const picture = () => document.querySelector('.avatar img')?.getAttribute('src') ?? null;

test('initials are one letter, or two of an alias of several words', () => {
  expect(
    ['bob@a.example', 'maria.fernandez@a.example', 'www.shop.example', 'élise_b_c@x.example', '--@a.example'].map(
      initialsOf,
    ),
  ).toEqual(['B', 'MF', 'S', 'ÉC', '']);
});

test('a name always has the same color, and all colors are used', () => {
  const names = Array.from({ length: 100 }, (_, i) => `somebody-${i}@a.example`);
  expect(colorOf('Bob@A.example')).toBe(colorOf('bob@a.example'));
  expect(new Set(names.map(colorOf))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});

test('initials are shown until a picture arrives, and are not part of the text', async () => {
  render(<Avatar name="bob@two.example" paymail="bob@two.example" ask />);
  expect(document.querySelector('.avatar')?.getAttribute('data-initials')).toBe('B');
  expect(document.body.textContent).toBe('');
  await waitFor(() => expect(picture()).toBe(PICTURE));
  expect(asked()).toEqual([{ method: 'avatars/fetch', params: { paymail: 'bob@two.example' } }]);
});

test('no picture is shown next to a look-alike name, or one whose key has changed', async () => {
  render(<Avatar name="bоb@two.example" paymail="bоb@two.example" ask />);
  render(<HostAvatar host={{ ...host, keyChangedSince: 1 }} ask />);
  render(<HostAvatar host={{ ...host, keyUnavailable: true }} ask />);
  await Promise.resolve();
  expect(asked()).toEqual([]);
  expect(document.querySelectorAll('.avatar')).toHaveLength(3);
});

test('a page’s recipient has a picture only if the wallet has stored it, without a request to its service', async () => {
  const output: ShownOutput = { ...(approval.outputs[0] as ShownOutput), type: 'PAYMAIL', to: host.paymail, host };
  render(<Recipients outputs={[output]} satoshis={200_000n} rate={null} />);
  await waitFor(() => expect(picture()).toBe(PICTURE));
  expect(asked()).toEqual([{ method: 'avatars/kept', params: { paymail: 'bob@two.example' } }]);
  expect(document.querySelector('.recipient-to')?.textContent).toBe('bob@two.example');
});
