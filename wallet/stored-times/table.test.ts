import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { useVault } from '../../testkit/wallet/vault.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const HOUR_MS = 3600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
const NOW = Date.UTC(2026, 0, 1);

const run = useVault();

/** Returns a record of each kind, with this time at each path in the table. */
function samples(time: number): Record<string, object[]> {
  const retry = { attempts: 1, nextAt: time, problem: null };
  const payment = {
    requestId: 'one',
    origin: 'https://shop.example',
    state: 'broadcast',
    createdAt: 1,
    updatedAt: 1,
    approvedAt: time,
    height: null,
    unfinished: 1,
    signed: { txid: '00'.repeat(32), inputs: [] },
    broadcast: retry,
    confirmation: retry,
    report: { ...retry, state: 'waiting' },
    serviceReport: { ...retry, state: 'waiting', service: 'https://service.example', proof: '' },
    deliveries: [{ ...retry, state: 'waiting', output: 0 }],
    quote: { outputs: [], satoshis: 1n },
  };
  return {
    payments: [
      { ...payment, id: 'sent' },
      { ...payment, id: 'kept', requestId: 'two', state: 'signed', trouble: 'held' },
      {
        ...payment,
        id: 'unsigned',
        requestId: 'three',
        state: 'signable',
        signed: null,
        action: { expiresAt: time, inputs: [], outputs: [] },
      },
    ],
    prompts: [
      {
        kind: 'permission',
        origin: 'https://shop.example',
        message: 'one',
        createdAt: time,
        endedAt: time,
        state: 'awaitingDecision',
        window: { id: 'one', windowId: null, shownAt: time },
        details: {},
        outcome: { answer: null },
      },
    ],
    sites: [
      {
        origin: 'https://shop.example',
        refusedAt: [time, time],
        dismissals: 2,
        endedAt: time,
        blockedUntil: time,
        setAside: [{ at: time, satoshis: 1n }],
      },
      {
        origin: 'https://blocked.example',
        refusedAt: [],
        dismissals: 0,
        endedAt: 0,
        blockedUntil: Number.MAX_SAFE_INTEGER,
      },
    ],
    history: [{ txid: '22'.repeat(32), order: -time, tries: 3 }],
    appLog: [{ key: 'one', entry: { kind: 'output-gone', outpoint: '33:0' }, version: 1, at: 1, unapplied: time }],
  };
}

const keyedSamples = (time: number) => ({
  scan: {
    addresses: 0,
    coins: 0,
    done: true,
    roundAt: time,
    unread: { count: 1, scripts: [], failed: [{ txid: '44'.repeat(32), tries: 3, nextAt: time }], waiting: false },
    crowded: [{ script: '00', nextAt: time }],
    kept: { spent: [{ outpoint: '55:0', origin: 'https://shop.example', until: time }] },
  },
  appLog: { at: null, writer: '00', readAt: time, retry: { attempts: 1, nextAt: time, problem: 'internal' } },
});

function valuesAt(record: unknown, path: string): number[] {
  const [sign, names] = path.startsWith('-') ? [-1, path.slice(1)] : [1, path];
  const found = names
    .split('.')
    .reduce<unknown[]>(
      (some, name) =>
        some.flatMap((one) => (name === '*' ? (one as unknown[]) : [(one as Record<string, unknown>)?.[name]])),
      [record],
    );
  return found.filter((one) => typeof one === 'number').map((one) => sign * one);
}

/** Stores times from a clock that was ahead, and corrects them. Returns the database. */
async function correctedAfter(aheadMs: number) {
  const db = await run.database.database(wallet);
  const time = NOW + aheadMs;
  for (const [name, some] of Object.entries(samples(time)))
    for (const one of some) await db.put(name as 'sites', one as never);
  for (const [key, one] of Object.entries(keyedSamples(time))) await db.put('keyval', one as never, key);
  await (await import('./correct.ts')).correctTimes(wallet, NOW);
  return { db, ...(await import('./table.ts')) };
}

/** How far each time in the samples can be ahead of the clock (milliseconds). Times of past events aren't listed. */
const AHEAD_MS: Record<string, number> = {
  // A withheld payment is checked after a minute, and other payments are retried after a second.
  'payments broadcast.nextAt': 60_000,
  // One second after the first attempt, doubled after each additional attempt.
  'payments confirmation.nextAt': 1000,
  'payments report.nextAt': 1000,
  'payments serviceReport.nextAt': 1000,
  'payments deliveries.*.nextAt': 1000,
  'appLog retry.nextAt': 1000,
  // One minute, doubled after each additional attempt. The first retry has no delay.
  'history -order': 4 * 60_000,
  'scan unread.failed.*.nextAt': 2 * 60_000,
  // The following times are set once, with their full duration.
  'payments action.expiresAt': HOUR_MS,
  'sites blockedUntil': 24 * HOUR_MS,
  'appLog unapplied': 10 * 60_000,
  'scan crowded.*.nextAt': 24 * HOUR_MS,
  'scan kept.spent.*.until': 24 * HOUR_MS,
};

describe.each([
  ['a year', YEAR_MS],
  ['six hours', 6 * HOUR_MS],
])('a clock that was %s ahead', (_, aheadMs) => {
  test('no stored time is further ahead than its own duration', async () => {
    const { db, STORE_TIMES, KEYED_TIMES } = await correctedAfter(aheadMs);
    const farthest: Record<string, number> = {};
    const note = (name: string, record: unknown) => {
      const values = valuesAt(record, name.split(' ')[1] as string).filter((value) => value < Number.MAX_SAFE_INTEGER);
      if (values.length > 0) farthest[name] = Math.max(farthest[name] ?? 0, ...values.map((value) => value - NOW));
    };
    const paths = [
      ...Object.entries(STORE_TIMES).flatMap(([name, { times }]) => Object.keys(times).map((at) => `${name} ${at}`)),
      ...Object.entries(KEYED_TIMES).flatMap(([name, times]) => Object.keys(times).map((at) => `${name} ${at}`)),
    ];
    for (const [name, { times }] of Object.entries(STORE_TIMES))
      for (const record of await db.getAll(name as 'sites'))
        for (const at of Object.keys(times)) note(`${name} ${at}`, record);
    for (const [key, times] of Object.entries(KEYED_TIMES))
      for (const at of Object.keys(times)) note(`${key} ${at}`, await db.get('keyval', key));
    const expected = paths.map((name) => [name, Math.min(AHEAD_MS[name] ?? 0, aheadMs)]);
    expect(farthest).toStrictEqual(Object.fromEntries(expected));
  });
});

test('a payment that a reorganization reinstates keeps no time of a clock that was ahead', async () => {
  const { db, corrected, STORE_TIMES } = await correctedAfter(YEAR_MS);
  const [sample] = samples(NOW + YEAR_MS).payments as [{ deliveries: object[] }];
  const ended = { txid: '66'.repeat(32), height: 7, state: 'broadcast' };
  const deliveries = sample.deliveries.map((one) => ({ ...one, state: 'given-up' }));
  const failed = {
    ...sample,
    deliveries,
    id: 'ended',
    requestId: 'four',
    state: 'failed',
    error: null,
    unfinished: 0,
    ended,
  };
  const signed = { txid: '77'.repeat(32), inputs: [], ownOutputs: [] };
  await db.put('payments', { ...failed, approvedAt: NOW, signed } as never);
  await (await import('./correct.ts')).correctTimes(wallet, NOW);
  const { reviveAbove } = await import('../payments/network/reorg.ts');
  await run.database.inTransaction(wallet, (tx) => reviveAbove(wallet, tx, 6));
  const revived = await db.get('payments', 'ended');
  expect(revived).toMatchObject({ state: 'broadcast', unfinished: 1 });
  expect(corrected(revived as object, STORE_TIMES.payments.times, NOW)).toBeNull();
});

test('a site that is blocked until the user unblocks it stays blocked when the clock is set back', async () => {
  const { db } = await correctedAfter(YEAR_MS);
  expect(await db.get('sites', 'https://blocked.example')).toMatchObject({ blockedUntil: Number.MAX_SAFE_INTEGER });
});

test('times within their durations stay unchanged', async () => {
  const { corrected, STORE_TIMES } = await import('./table.ts');
  for (const [name, some] of Object.entries(samples(NOW)))
    for (const one of some) expect(corrected(one, STORE_TIMES[name as 'sites'].times, NOW), name).toBeNull();
});

test('a wait that an operator requested is kept, up to a minute', async () => {
  const { corrected, STORE_TIMES } = await import('./table.ts');
  const waiting = (waitMs: number, problem: string) => ({
    ...samples(NOW).payments?.[0],
    state: 'signed',
    broadcast: { attempts: 1, nextAt: NOW + waitMs, problem },
  });
  const { times } = STORE_TIMES.payments;
  expect(corrected(waiting(60_000, 'network-unavailable'), times, NOW)).toBeNull();
  expect(corrected(waiting(60_001, 'network-unavailable'), times, NOW)).not.toBeNull();
  expect(corrected(waiting(60_000, 'payment-contested'), times, NOW)).not.toBeNull();
});

/**
 * How each stored time is handled: corrected by the table, `shown` (only affects order and display), `chain` (set by
 * blocks, not by this clock), or checked when used, by the file named here.
 */
const KNOWN: Record<string, string> = {
  'wallet/allowances/allowance.ts at': 'wallet/allowances/decide.ts',
  'wallet/allowances/allowance.ts createdAt': 'shown',
  'wallet/allowances/allowance.ts resetsAt': 'wallet/allowances/allowance.ts',
  'wallet/allowances/allowance.ts usedAt': 'shown',
  'wallet/app-log/entry.ts at': 'shown',
  'wallet/app-log/state.ts exportedAt': 'shown',
  'wallet/app-log/state.ts nextAt': 'table',
  'wallet/app-log/state.ts readAt': 'table',
  'wallet/assets/asset-record.ts at': 'wallet/assets/judge.ts',
  'wallet/assets/asset-record.ts tooLargeAt': 'wallet/assets/refresh.ts',
  'wallet/avatars/kept-avatar.ts askedAt': 'wallet/avatars/avatars.ts',
  'wallet/baskets/app-action.ts at': 'shown',
  'wallet/baskets/app-output.ts overSince': 'wallet/baskets/prune.ts',
  'wallet/chain/known-rates.ts askedAt': 'wallet/chain/rates.ts',
  'wallet/chain/known-rates.ts receivedAt': 'wallet/chain/rates.ts',
  'wallet/chain/known-rates.ts time': 'wallet/chain/rates.ts',
  'wallet/chain/network-info.ts time': 'wallet/chain/network.ts',
  'wallet/coins/receipts/receipt.ts at': 'wallet/scan/gone.ts',
  'wallet/coins/receipts/receipt.ts createdAt': 'shown',
  'wallet/coins/receipts/receipt.ts since': 'wallet/scan/gone.ts',
  'wallet/coins/receipts/receipt.ts time': 'shown',
  'wallet/crypto-operations/operations-record.ts createdAt': 'shown',
  'wallet/store/schema.ts at': 'wallet/received/notify.ts',
  'wallet/store/schema.ts nextAt': 'wallet/service/release.ts',
  'wallet/paymail/paid-host.ts keyChangedSince': 'shown',
  'wallet/paymail/paid-host.ts since': 'shown',
  'wallet/payments/action.ts expiresAt': 'table',
  'wallet/payments/record.ts approvedAt': 'table',
  'wallet/payments/record.ts createdAt': 'shown',
  'wallet/payments/record.ts time': 'chain',
  'wallet/payments/record.ts updatedAt': 'wallet/payments/prune.ts',
  'wallet/payments/retry.ts approvedAt': 'table',
  'wallet/payments/retry.ts createdAt': 'shown',
  'wallet/payments/retry.ts nextAt': 'table',
  'wallet/permissions/permission.ts grantedAt': 'shown',
  'wallet/prompts/prompt.ts createdAt': 'table',
  'wallet/prompts/prompt.ts endedAt': 'table',
  'wallet/prompts/prompt.ts shownAt': 'table',
  'wallet/scan/history/progress.ts nextAt': 'table',
  'wallet/scan/history/progress.ts roundAt': 'table',
  'wallet/scan/history/progress.ts until': 'table',
  'wallet/sites/site.ts at': 'table',
  'wallet/sites/site.ts blockedUntil': 'table',
  'wallet/sites/site.ts endedAt': 'table',
  'wallet/vault/passkey.ts createdAt': 'shown',
  'wallet/vault/passkey.ts usedAt': 'shown',
  'wallet/vault/seal.ts lockAt': 'wallet/vault/session.ts',
};

test('every stored time is in the table or checked where it is used', () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const database = read('wallet/store/schema.ts');
  const shapes = [
    ...[...database.matchAll(/^import type .* from '\.\.\/([^']+)';$/gm)].map(([, file]) => `wallet/${file}`),
    'wallet/payments/action.ts',
    'wallet/payments/retry.ts',
  ];
  // Interface members with names that denote times.
  const times = /(?<=[{;\n] *)(at|time|since|until|\w+(?:At|Until|Since))\??: number(?: \| null)?(?=;| \})/g;
  const found = [
    ...shapes.map((file) => [file, read(file)]),
    ['wallet/store/schema.ts', /KeyedValues \{[^]*?\n\}/.exec(database)?.[0]],
  ]
    .flatMap(([file, text = '']) => [...text.matchAll(times)].map(([, name]) => `${file} ${name}`))
    .filter((one) => one !== 'wallet/coins/coin.ts time');
  expect([...new Set(found)].sort()).toEqual(Object.keys(KNOWN).sort());
  for (const file of Object.values(KNOWN).filter((one) => one.endsWith('.ts')))
    expect(read(file), file).toMatch(
      /Math\.abs\(|Math\.min\(kept\.at, now\)|age >= 0|clock (?:was|that has since been) (?:put|set) back|<= lastsMs \+ CLOCK_SLACK_MS/,
    );
});
