import { test } from 'vitest';
import { paymentWhere } from '../../../../testkit/wallet/wallet.ts';
import { broadcastElsewhere, keeping, MINUTE_MS, network } from './testing-kept-rounds.ts';

test('the wallet detects a broadcast of a withheld transaction even if the index has no bulk lookups', async () => {
  const { run, kept, requestsIn } = await keeping();
  network.before = () => undefined;
  network.down.add('lists');
  const [payment] = kept;
  await broadcastElsewhere(payment!.signed!.rawtx);
  await requestsIn(10 * MINUTE_MS);
  await paymentWhere(run, payment!.id, ({ trouble, state }) => trouble === null && state === 'settled');
});
