import { expect } from 'vitest';
import { APP, appScript, called, output } from '../../../../testkit/wallet/applications.ts';
import { setTime } from '../../../../testkit/wallet/clock.ts';
import { useNetwork } from '../../../../testkit/network/network.ts';
import { give, openWallet, stored } from '../../../../testkit/wallet/wallet.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

export const network = useNetwork();
export const MINUTE_MS = 60_000;

/** Opens a wallet whose application withholds `count` transactions, and counts the requests about them. */
export async function keeping(count = 8) {
  const run = await openWallet(network, [...Array.from({ length: count }, () => 1000), 1_000_000]);
  await give(run, { origin: APP, currency: 'BSV', limit: 5_000_000n });
  setTime(Date.now());
  const asked: string[] = [];
  for (let i = 0; i < count; i += 1) {
    await called(run, 'createAction', {
      description: 'keep it',
      outputs: [output(975, appScript(i))],
      options: { noSend: true },
    });
  }
  /** Advances the time minute by minute. Returns the number of requests. */
  const requestsIn = async (ms: number): Promise<number> => {
    const before = asked.length;
    for (let passed = 0; passed < ms; passed += MINUTE_MS) {
      setTime(Date.now() + MINUTE_MS);
      await run.modules.drive.processAll(wallet);
    }
    return asked.length - before;
  };
  const kept = (await stored(run)).payments.filter(({ trouble }) => trouble === 'held');
  const places = kept.flatMap(({ signed }) => [signed?.txid ?? '', ...(signed?.inputs ?? [])]);
  // True if the request contains a withheld transaction's ID or one of its inputs, or queries a list of transactions.
  const isAboutKept = (url: string) =>
    /\/(?:txs\/status|utxos\/spent)$/.test(url) || places.some((place) => url.includes(place.replace(':', '/')));
  network.before = (url) => {
    if (isAboutKept(url)) asked.push(url);
  };
  await run.modules.drive.processAll(wallet);
  return { run, kept, asked, requestsIn };
}

/** Broadcasts a transaction without the wallet. */
export async function broadcastElsewhere(txhex: string): Promise<void> {
  const { ok } = await fetch(`${network.url}/devnet/woc/v1/bsv/test/tx/raw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ txhex }),
  });
  expect(ok).toBe(true);
}
