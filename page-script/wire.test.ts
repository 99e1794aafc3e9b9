import { expect, test } from 'vitest';
import * as protocol from '../protocol/page-messages.ts';
import { CHANNEL, PRESENT_EVENT } from './wire.ts';

test('the values are those of the protocol', () => {
  expect(CHANNEL).toBe(protocol.CHANNEL);
  expect(PRESENT_EVENT).toBe(protocol.WALLET_PRESENT.event);
});
