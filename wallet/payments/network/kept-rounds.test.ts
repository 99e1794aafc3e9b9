import { test } from 'vitest';
import { paymentWhere } from '../../../testkit/wallet/wallet.ts';
import { broadcastElsewhere, keeping, MINUTE_MS, network } from './testing-kept-rounds.ts';

test('an index without such lists is queried about a few withheld transactions at a time', async () => {
  const { run, kept, requestsIn } = await keeping();
  network.before = () => undefined;
  network.down.add('lists');
  const [payment] = kept;
  await broadcastElsewhere(payment!.signed!.rawtx);
  await requestsIn(10 * MINUTE_MS);
  await paymentWhere(run, payment!.id, ({ trouble, state }) => trouble === null && state === 'settled');
});
