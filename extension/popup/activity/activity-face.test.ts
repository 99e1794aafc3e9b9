import { expect, test } from 'vitest';
import type { ActivityItem } from '../../../protocol/messages/wallet-messages.ts';
import { faceOf } from './activity-face.ts';

const item: ActivityItem = {
  id: 'x',
  direction: 'sent',
  origin: null,
  counterparty: 'bob@two.example',
  recipientCount: 1,
  satoshis: '1000',
  feeSatoshis: '1',
  amount: '1',
  currency: 'USD',
  status: 'COMPLETED',
  statusDescription: null,
  txid: 'ab'.repeat(32),
  time: 0,
  sender: null,
  note: null,
};
const received = { direction: 'received', counterparty: 'an address' } as const;
const bob = 'bob@two.example';

test.each<[string, Partial<ActivityItem>, ReturnType<typeof faceOf>]>([
  ['paid by the user', {}, { name: bob, paymail: bob, ask: true }],
  ['not paid yet', { txid: null, status: 'PENDING' }, { name: bob, paymail: bob, ask: false }],
  ['not paid after all', { status: 'FAILED' }, { name: bob, paymail: bob, ask: false }],
  ['paid for a site', { origin: 'https://shop.example' }, { name: 'shop.example', paymail: null, ask: false }],
  ['one of several', { recipientCount: 2 }, null],
  ['an address', { counterparty: 'mzJ2m4aZ1Lz4a1VbWZkcQ8V4zsfkS8UuWQ' }, null],
  ['a sender', { ...received, sender: { paymail: bob, verified: true } }, { name: bob, paymail: bob, ask: true }],
  [
    'an unverified sender',
    { ...received, sender: { paymail: bob, verified: false } },
    { name: bob, paymail: null, ask: true },
  ],
  ['unknown', received, null],
  ['not worked out', { isUnverified: true }, null],
])('the icon in a row depends on the counterparty: %s', (_who, changes, face) => {
  expect(faceOf({ ...item, ...changes })).toEqual(face);
});
