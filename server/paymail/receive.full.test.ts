import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PrivateKey } from '@bsv/sdk';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction } from '../../protocol/bitcoin/transaction.ts';
import { startTestApp } from '../testing.ts';
import { useDeliveries } from './testing-deliveries.ts';

describe('a payment to a destination', () => {
  const { network, app, database, ask, receive, transactionFor, received, stored } = useDeliveries();

  it('keeps only the transaction in memory while the network is queried', async () => {
    const { outputs, reference } = await ask(3_000);
    // A flat buffer, because V8 would flatten a concatenated string only when it is sent.
    const body = Buffer.from(
      `{"hex":"${(await transactionFor(outputs)).toHex()}","reference":"${reference}","junk":"${'x'.repeat(20_000_000)}"}`,
    ).toString();
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    /** Returns the growth of heap and buffers after garbage collection. */
    const more = async (before = { heapUsed: 0, arrayBuffers: 0 }, most = { heapUsed: 0, arrayBuffers: 0 }) => {
      for (let collections = 1; ; collections++) {
        collect();
        // Socket writes and buffer releases need another turn of the event loop.
        await new Promise((resolve) => setImmediate(resolve));
        const { heapUsed, arrayBuffers } = process.memoryUsage();
        const now = { heapUsed: heapUsed - before.heapUsed, arrayBuffers: arrayBuffers - before.arrayBuffers };
        const fits = now.heapUsed <= most.heapUsed && now.arrayBuffers <= most.arrayBuffers;
        if (fits || collections === 20) return now;
      }
    };
    const most = { heapUsed: 10_000_000, arrayBuffers: 30_000_000 };
    const before = await more();
    let during = { heapUsed: Infinity, arrayBuffers: Infinity };
    network.onBroadcast = async () => {
      during = await more(before, most);
    };
    // Any response is accepted, because garbage collection can delay the network's response past its timeout.
    await app.post('/bsvalias/receive-transaction/bob@localhost', body);
    expect(during.heapUsed).toBeLessThanOrEqual(most.heapUsed);
    expect(during.arrayBuffers).toBeLessThanOrEqual(most.arrayBuffers);
  });

  it('causes no new query for a minute if it was rejected, and few queries for one address', async () => {
    const limited = await startTestApp(database, { arcUrl: network.arcUrl, rateLimits: '0.2' });
    const deliver = async (hex: string, reference: string) => {
      const { status, body } = await limited.post('/bsvalias/receive-transaction/bob@localhost', { hex, reference });
      return [status, body.code ?? null];
    };
    const { outputs, reference } = await ask(4_000);
    const unsigned = (paid = outputs) => {
      const coin = PrivateKey.fromRandom();
      return serializeTransaction({
        version: 1,
        lockTime: 0,
        inputs: [
          { txid: coin.toHex().padStart(64, '0'), vout: 0, unlockingScript: new Uint8Array(), sequence: 0xffffffff },
        ],
        outputs: paid.map((output) => ({
          satoshis: BigInt(output.satoshis),
          lockingScript: fromHex(output.script),
        })),
      });
    };
    const first = toHex(unsigned());
    const before = network.broadcasts;
    expect([await deliver(first, reference), await deliver(first, reference), await deliver(first, reference)]).toEqual(
      [1, 2, 3].map(() => [422, 'not-accepted']),
    );
    expect(network.broadcasts - before).toBe(1);
    expect(await deliver(toHex(unsigned()), reference)).toEqual([422, 'not-accepted']);
    expect(await deliver(toHex(unsigned()), reference)).toEqual([429, 'too-many-requests']);
    expect(network.broadcasts - before).toBe(2);
    limited.clock.ms += 60_000;
    // An IP address also gets only a few attempts with transactions that don't pay the destination.
    const elsewhere = toHex(unsigned([{ script: '51', satoshis: 1 }]));
    const mismatches = [await deliver(elsewhere, reference), await deliver(elsewhere, reference)];
    mismatches.push(await deliver(elsewhere, reference), await deliver(elsewhere, reference));
    expect(mismatches).toEqual(mismatches.map(() => [422, 'payment-mismatch']));
    expect(await deliver(elsewhere, reference)).toEqual([429, 'too-many-requests']);
    limited.clock.ms += 60_000;
    expect(await deliver((await transactionFor(outputs)).toHex(), reference)).toEqual([200, null]);
    await limited.close();
  });

  it('one transaction pays several references only with separate outputs for each, and each reference only once', async () => {
    const [first, second] = [await ask(4_000), await ask(4_000, 'carol@localhost')];
    const both = await transactionFor([...first.outputs, ...second.outputs]);
    const answers = await Promise.all([
      receive(both.toHex(), first.reference),
      receive(both.toHex(), second.reference, {}, 'carol@localhost'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    // After twenty unpaid destinations, the same address is reissued for the same amount under a different reference.
    const twins = [await ask(2_500)];
    for (let i = 0; i < 20; i += 1) twins.push(await ask(2_500));
    const [one, twin] = [twins[0], twins[20]] as [Awaited<ReturnType<typeof ask>>, Awaited<ReturnType<typeof ask>>];
    expect(twin.outputs).toEqual(one.outputs);
    const pays = await transactionFor(one.outputs);
    // Both concurrent deliveries are acknowledged, because either could be the payer's. Only one delivery is stored.
    const count = (await received()).length;
    const same = await Promise.all([receive(pays.toHex(), one.reference), receive(pays.toHex(), twin.reference)]);
    expect(same.map(({ status }) => status)).toEqual([200, 200]);
    expect(await received()).toHaveLength(count + 1);
    const paidReference = (await received()).at(-1)?.reference ?? '';
    const before = await stored();
    expect(await receive((await transactionFor(one.outputs)).toHex(), paidReference)).toMatchObject({
      status: 409,
      body: { code: 'payment-conflict' },
    });
    expect(await stored()).toBe(before);
  });
});
