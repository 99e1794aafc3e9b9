/** Tests how the wallet checks incoming payments that the index no longer lists: its requests and what it records. */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { codeOf } from '../../testing/code-of.ts';
import type * as Operators from '../chain/operators.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import type * as Spv from '../chain/headers/spv.ts';
import type * as WhatsOnChain from '../chain/whats-on-chain.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import { mineHeader } from '../../testkit/network/blocks.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { testCoin, testReceipt } from '../../testkit/wallet/coins.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const NOW = Date.UTC(2026, 0, 1);
const [MINUTE, DAY] = [60_000, 24 * 3600_000];
const INFO = { arcUrl: 'https://arc.example', wocUrl: 'https://index.example' } as NetworkInfo;
const { txid: TXID } = testReceipt();
const BLOCK = mineHeader('00'.repeat(32), { height: 8 });

/** The network's data: the confirmed spender of an output, the status from ARC, and the index's transactions. */
const network = {
  rival: null as string | null,
  arc: null as string | null,
  hex: null as string | null,
  transaction: null as { inputs: { txid: string; vout: number }[] } | null,
  asked: [] as string[],
};

const scan = useDatabase(async () => ({
  ...(await import('./gone.ts')),
  ...(await import('../coins/records.ts')),
}));

// Other tests cover transactions, headers and responses.
beforeAll(() => {
  vi.doMock('../chain/headers/spv.ts', () => ({
    minedRival: (async (_wallet: unknown, _, { txid, vout }, of) => {
      network.asked.push(`${txid}:${vout} but by ${of}`);
      return network.rival === `${txid}:${vout}` ? { spender: 'rival', transaction: {} as never, block: BLOCK } : null;
    }) satisfies typeof Spv.minedRival,
    fetchTransaction: (async () => network.transaction as never) satisfies typeof Spv.fetchTransaction,
  }));
  vi.doMock('../chain/operators.ts', () => ({
    transactionStatus: (async (_wallet: unknown, { arcUrl }, txid) => {
      network.asked.push(`${arcUrl} ${txid}`);
      return network.arc === null ? null : ({ txid, txStatus: network.arc } as never);
    }) satisfies typeof Operators.transactionStatus,
  }));
  vi.doMock('../chain/whats-on-chain.ts', () => ({
    transactionHex: (async (_wallet: unknown, wocUrl, txid) => {
      network.asked.push(`${wocUrl} ${txid}`);
      if (network.hex === 'fails') throw new ServiceError('network-unavailable');
      return network.hex;
    }) satisfies typeof WhatsOnChain.transactionHex,
  }));
});

beforeEach(async () => {
  setTime(NOW);
  Object.assign(network, { rival: null, arc: null, hex: null, transaction: null, asked: [] });
  await scan.db.put('headers', BLOCK);
});

const stored = async () => (await scan.db.get('receipts', TXID)) as Receipt;
/** Checks a received transaction with one coin. Returns the updated receipt. */
async function look(receipt: Partial<Receipt> = {}): Promise<Receipt> {
  const before = testReceipt(receipt);
  await scan.db.put('receipts', before);
  await scan.write((tx) => scan.putCoin(tx, testCoin(1000n, { height: null })));
  await scan.checkReceipt(wallet, INFO, before);
  return stored();
}
const status = async () => (await scan.db.getAll('coins'))[0]?.status;

describe('the time of the next check', () => {
  const isDue = (ago: number | null, failed = false) =>
    scan.isCheckDue(
      testReceipt({
        ...(failed && { failed: 'dropped' }),
        ...(ago !== null && { look: { at: NOW - ago, unknown: 1, since: 0 } }),
      }),
      NOW,
    );

  test('a check is due nine minutes after the last one, or a day after it if the money is gone', () => {
    expect([isDue(null), isDue(9 * MINUTE), isDue(9 * MINUTE - 1)]).toEqual([true, true, false]);
    expect([isDue(DAY, true), isDue(DAY - 1, true)]).toEqual([true, false]);
  });

  test('a check is due if the clock was set back since the last one', () => {
    expect([isDue(-1), isDue(-1, true)]).toEqual([true, true]);
  });
});

describe('a check', () => {
  test('a check requests a conflicting spender of each input, then ARC, then the index', async () => {
    await look({ spends: ['aa:1', 'bb:20'] });
    expect(network.asked).toEqual([
      `aa:1 but by ${TXID}`,
      `bb:20 but by ${TXID}`,
      `https://arc.example ${TXID}`,
      `https://index.example ${TXID}`,
    ]);
  });

  test('a check requests only ARC and the index if its inputs are unknown', async () => {
    await look();
    expect(network.asked).toEqual([`https://arc.example ${TXID}`, `https://index.example ${TXID}`]);
  });

  test('a check requests five inputs, and the next one continues after them', async () => {
    const spends = Array.from({ length: 7 }, (_, i) => `aa:${i}`);
    const asked = async (before?: Receipt['look']) => {
      network.asked = [];
      const { look: after } = await look({ spends, ...(before && { look: before }) });
      const inputs = network.asked.filter((one) => one.startsWith('aa')).map((one) => Number(one.slice(3, 4)));
      return { inputs, after: after! };
    };
    const first = await asked();
    expect(first.inputs).toEqual([0, 1, 2, 3, 4]);
    const second = await asked(first.after);
    expect(second.inputs).toEqual([5, 6, 0, 1, 2]);
    expect((await asked(second.after)).inputs).toEqual([3, 4, 5, 6, 0]);
  });

  test('an input spent elsewhere in a block means that the money is gone immediately', async () => {
    network.rival = 'bb:20';
    const { look: after, ...receipt } = await look({
      spends: ['aa:1', 'bb:20', 'cc:0'],
      look: { at: 5, unknown: 2, since: 3 },
    });
    expect(receipt).toMatchObject({
      failed: 'double-spent',
      lostTo: { txid: 'rival', height: 8, hash: BLOCK.hash },
    });
    // The counters don't change, so the next check begins with the same inputs.
    expect(after).toEqual({ at: NOW, unknown: 2, since: 3 });
    expect(await status()).toBe('gone');
    expect(network.asked.at(-1)).toBe(`bb:20 but by ${TXID}`);
  });

  test.each([7, 103])(
    'a double spend of the last of %i inputs is found while ARC claims to have the transaction',
    async (count) => {
      const inputs = Array.from({ length: count }, (_, vout) => ({ txid: 'aa', vout }));
      Object.assign(network, { arc: 'SEEN_ON_NETWORK', rival: `aa:${count - 1}`, transaction: { inputs } });
      let receipt = await look({ spends: inputs.slice(0, 100).map(({ vout }) => `aa:${vout}`) });
      for (let i = 1; i < 21 && !receipt.failed; i += 1) {
        setTime(NOW + i * 10 * MINUTE);
        await scan.checkReceipt(wallet, INFO, receipt);
        receipt = await stored();
      }
      expect(receipt.failed).toBe('double-spent');
      expect(await status()).toBe('gone');
    },
  );

  test.each<[string, { arc?: string; hex?: string }]>([
    ['ARC, which has it', { arc: 'SEEN_ON_NETWORK' }],
    ['ARC, which is about to hand it on', { arc: 'QUEUED' }],
    ['the index', { hex: '00' }],
    ['the index, though ARC rejects it', { arc: 'REJECTED', hex: '00' }],
  ])('a transaction is found, and all earlier checks are reset, if it is known to %s', async (_, known) => {
    Object.assign(network, known);
    const { look: after, failed } = await look({ look: { at: 5, unknown: 9, since: 3 } });
    expect(after).toEqual({ at: NOW, unknown: 0, since: NOW });
    expect([failed, await status()]).toEqual([undefined, 'available']);
  });

  test.each([null, 'REJECTED', 'DOUBLE_SPEND_ATTEMPTED'])(
    'a transaction is unknown if ARC reports %s, and the start and number of such checks are recorded',
    async (arc) => {
      network.arc = arc;
      expect((await look()).look).toEqual({ at: NOW, unknown: 1, since: NOW });
      expect((await look({ look: { at: 5, unknown: 0, since: 3 } })).look).toEqual({ at: NOW, unknown: 1, since: NOW });
      expect((await look({ look: { at: 5, unknown: 1, since: 3 } })).look).toEqual({ at: NOW, unknown: 2, since: 3 });
      expect((await look({ look: { at: 5, unknown: 1, since: 3 } })).failed).toBeUndefined();
    },
  );

  test.each<[string, number, number, boolean]>([
    ['four times within half an hour', 3, 30 * MINUTE - 1, false],
    ['three times in more than half an hour', 2, 60 * MINUTE, false],
    ['four times in half an hour', 3, 30 * MINUTE, true],
  ])(
    'a transaction is dropped only after being unknown four times in half an hour: %s',
    async (_, unknown, ago, isDropped) => {
      const { failed, look: after } = await look({ look: { at: 5, unknown, since: NOW - ago } });
      expect(failed).toBe(isDropped ? 'dropped' : undefined);
      expect(after).toEqual({ at: NOW, unknown: unknown + 1, since: NOW - ago });
      expect(await status()).toBe(isDropped ? 'gone' : 'available');
    },
  );

  test('the half hour begins at this check if the clock was set back since the first one', async () => {
    expect((await look({ look: { at: DAY, unknown: 3, since: NOW + DAY } })).look?.since).toBe(NOW);
  });

  test('gone money stays gone, for the same reason', async () => {
    const lostTo = { txid: 'rival', height: 8, hash: BLOCK.hash };
    const { failed, look: after } = await look({
      failed: 'double-spent',
      lostTo,
      look: { at: 5, unknown: 0, since: 3 },
    });
    expect([failed, await status()]).toEqual(['double-spent', 'gone']);
    expect((await stored()).lostTo).toEqual(lostTo);
    expect(after).toEqual({ at: NOW, unknown: 1, since: NOW });
  });

  test('a failed check decides nothing', async () => {
    const before = testReceipt({ look: { at: 5, unknown: 9, since: 3 } });
    network.hex = 'fails';
    expect(await codeOf(look(before))).toBe('network-unavailable');
    expect(await stored()).toEqual(before);
    expect(await status()).toBe('available');
  });
});
