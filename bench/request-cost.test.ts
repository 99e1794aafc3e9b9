/**
 * Measures calls and their charges for request-cost.ts. Runs in Vitest, because the wallet's test network uses Vitest's
 * hooks.
 */
import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MAX_CALL_ITEMS, MAX_CALL_LENGTH } from '../protocol/payments/limits.ts';
import { responseCost, costOf } from '../wallet/request-limits/request-cost.ts';
import { APP, appScript, called, output } from '../testkit/wallet/applications.ts';
import { useNetwork } from '../testkit/network/network.ts';
import { give, openWallet } from '../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../testkit/wallet/worker-run.ts';
import type { CostFigures } from './request-cost.ts';

const network = useNetwork();

type Method = Parameters<typeof called>[1];

const smallAction = () => ({
  description: 'a small thing',
  outputs: [output(100, appScript(0))],
  options: { noSend: true },
});
const data = (bytes: number, opcode = '61') => `006a${opcode.repeat(bytes)}`;
const MAX_DATA_BYTES = 1_900_000;

/** Arguments that are known to be expensive. */
const COSTLY: [string, Method, (run: WorkerRun) => object | Promise<object>][] = [
  [
    'one output of the largest size',
    'createAction',
    () => ({ ...smallAction(), outputs: [output(100, data(MAX_DATA_BYTES))] }),
  ],
  [
    'as many outputs as there may be',
    'createAction',
    () => ({
      ...smallAction(),
      outputs: Array.from({ length: MAX_CALL_ITEMS }, (_, i) => output(1, appScript(i % 200))),
    }),
  ],
  [
    'large outputs that are kept in a basket',
    'createAction',
    () => ({
      ...smallAction(),
      outputs: Array.from({ length: 10 }, () => output(1, data(100_000), { basket: 'things', tags: ['a'] })),
    }),
  ],
  [
    'one output of the largest size, signed later',
    'createAction',
    () => ({ ...smallAction(), outputs: [output(100, data(MAX_DATA_BYTES))], options: { signAndProcess: false } }),
  ],
  [
    'a transaction of the largest size that is brought in',
    'internalizeAction',
    async (run) => {
      const { tx } = await called(run, 'createAction', { ...smallAction(), outputs: [output(100, data(900_000))] });
      return {
        tx,
        description: 'brought in',
        outputs: [{ outputIndex: 0, protocol: 'basket insertion', insertionRemittance: { basket: 'things' } }],
      };
    },
  ],
  [
    'a short question for large transactions',
    'listOutputs',
    async (run) => {
      for (let i = 0; i < 2; i += 1)
        await called(run, 'createAction', {
          ...smallAction(),
          outputs: [output(1, data(MAX_DATA_BYTES), { basket: 'things' })],
        });
      return { basket: 'things', include: 'entire transactions' };
    },
  ],
  [
    'the largest data that is signed',
    'createSignature',
    () => ({ protocolID: [0, 'notes of mine'], keyID: '1', data: Array.from({ length: 990_000 }, () => 255) }),
  ],
  [
    'the largest data that is encrypted',
    'encrypt',
    () => ({ protocolID: [0, 'notes of mine'], keyID: '1', plaintext: Array.from({ length: 990_000 }, () => 255) }),
  ],
  [
    'the largest data that is authenticated',
    'createHmac',
    () => ({ protocolID: [0, 'notes of mine'], keyID: '1', data: Array.from({ length: 990_000 }, () => 255) }),
  ],
];

test.each(COSTLY)('the benchmark measures the charge for %s', async (what, method, args) => {
  const run = await openWallet(network, [...Array.from({ length: 6 }, () => 2_000_000), 20_000_000, 20_000_000]);
  await give(run, { origin: APP, currency: 'BSV', limit: 50_000_000n });
  const timed = async (name: Method, given: object) => {
    const text = JSON.stringify(given);
    expect(text.length).toBeLessThanOrEqual(MAX_CALL_LENGTH);
    const begun = process.cpuUsage();
    const answer = await called(run, name, given);
    let charged = costOf('brc100/call', { call: name, args: text }) + responseCost(answer);
    const { signableTransaction } = answer as { signableTransaction?: { reference: string } };
    if (signableTransaction) {
      const signing = { reference: signableTransaction.reference, spends: {}, options: { noSend: true } };
      charged += costOf('brc100/call', { call: 'signAction', args: JSON.stringify(signing) });
      await called(run, 'signAction', signing);
    }
    const { user, system } = process.cpuUsage(begun);
    return { took: user + system, charged };
  };
  const small = [];
  for (let i = 0; i < 4; i += 1) small.push(await timed('createAction', smallAction()));
  const reference = small.toSorted((a, b) => a.took - b.took)[1]!;
  const costly = await timed(method, await args(run));
  const figures: CostFigures = {
    what,
    charged: costly.charged / reference.charged,
    took: costly.took / reference.took,
  };
  appendFileSync(String(process.env.BENCH_FIGURES), `${JSON.stringify(figures)}\n`);
});
