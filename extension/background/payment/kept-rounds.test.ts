/** How often the network is asked about transactions that applications keep from it. */
import { expect, test } from 'vitest';
import { APP, appScript, called, output } from '../testing/applications.ts';
import { setTime } from '../testing/clock.ts';
import { useNetwork } from '../testing/network.ts';
import { give, openWallet, paymentWhere, stored } from '../testing/wallet.ts';

const network = useNetwork();
const [MINUTE_MS, HOUR_MS] = [60_000, 3600_000];
const COUNT = 8;

/** A wallet whose application keeps some transactions, and a count of requests to the network. */
async function keeping() {
  const run = await openWallet(
    network,
    Array.from({ length: COUNT }, () => 100_000),
  );
  await give(run, { origin: APP, currency: 'BSV', limit: 5_000_000n });
  setTime(Date.now());
  const asked: string[] = [];
  for (let i = 0; i < COUNT; i += 1) {
    await called(run, 'createAction', {
      description: 'keep it',
      outputs: [output(1_000, appScript(i))],
      options: { noSend: true },
    });
  }
  /** Lets a time pass, minute by minute, and counts the requests of it. */
  const requestsIn = async (ms: number): Promise<number> => {
    const before = asked.length;
    for (let passed = 0; passed < ms; passed += MINUTE_MS) {
      setTime(Date.now() + MINUTE_MS);
      await run.modules.drive.processAll();
    }
    return asked.length - before;
  };
  const kept = (await stored(run)).payments.filter(({ trouble }) => trouble === 'held');
  const places = kept.flatMap(({ signed }) => [signed?.txid ?? '', ...(signed?.inputs ?? [])]);
  // By its id, or by one of its inputs.
  const isAboutKept = (url: string) => places.some((place) => url.includes(place.replace(':', '/')));
  network.before = (url) => {
    if (isAboutKept(url)) asked.push(url);
  };
  await run.modules.drive.processAll();
  return { run, kept, asked, requestsIn };
}

test('the network is asked about kept transactions ever more rarely, an hour apart in the end', async () => {
  const { run, kept, asked, requestsIn } = await keeping();
  expect(asked).toEqual([]);
  const first = await requestsIn(HOUR_MS);
  expect(first).toBeGreaterThan(0);
  await requestsIn(HOUR_MS);
  const later = await requestsIn(HOUR_MS);
  expect(later).toBeGreaterThan(0);
  expect(later).toBeLessThan(first / 2);
  for (const { id } of kept) {
    const { broadcast, trouble } = (await stored(run)).payments.find((one) => one.id === id)!;
    expect(trouble).toBe('held');
    expect(broadcast.nextAt).toBeLessThanOrEqual(Date.now() + HOUR_MS);
  }
});

test('the network is asked nothing about what a blocked site keeps', async () => {
  const { run, requestsIn } = await keeping();
  await run.modules.sites.setBlock(APP, Number.MAX_SAFE_INTEGER);
  expect(await requestsIn(HOUR_MS)).toBe(0);
  await run.modules.sites.setBlock(APP, null);
  expect(await requestsIn(HOUR_MS)).toBeGreaterThan(0);
});

test('a kept transaction that its application broadcasts itself is found', async () => {
  const { run, kept, requestsIn } = await keeping();
  const [payment] = kept;
  const { rawtx = '' } = payment?.signed ?? {};
  await fetch(`${network.url}/devnet/woc/v1/bsv/test/tx/raw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ txhex: rawtx }),
  });
  await requestsIn(2 * MINUTE_MS);
  await paymentWhere(run, payment?.id ?? '', ({ trouble, state }) => trouble === null && state === 'settled');
});
