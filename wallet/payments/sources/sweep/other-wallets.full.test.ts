import { test } from 'vitest';
import { moveThroughDeath } from './testing-other-wallets.ts';

/** Returns the name of the crash point at the database transaction that changes coins. */
const moneyTransaction = (when: string) =>
  `${when} requests+payments+receipts+operations+history+coins+totals+addresses+assets+headers+allowances+prompts+sites+permissions+manifests+paymails+appOutputs+appActions+appLog+searchPages+lightPayments`;

test.each([
  ['before it stores the payment', moneyTransaction('before writing')],
  ['after it has stored the payment', moneyTransaction('after writing')],
  ['before it sends the payment', 'before POST /devnet/arc/v1/tx'],
])('money of another wallet is moved once if the worker is stopped %s', (_, crashPoint) =>
  moveThroughDeath(crashPoint),
);
