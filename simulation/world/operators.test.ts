/** Tests the simulated operators with the client that the wallet and the service use. */
import { describe, expect, test } from 'vitest';
import { createBroadcaster, type Dialect } from '../../protocol/network/broadcaster/broadcaster.ts';
import { extendedFormat } from '../../protocol/network/broadcaster/extended-format.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { Operator, type Nodes, type OperatorFault } from './operators.ts';
import { Random } from '../random.ts';

const output = { satoshis: 9n, lockingScript: new Uint8Array([0x51]) };
const transaction: Transaction = {
  version: 1,
  inputs: [{ txid: 'ab'.repeat(32), vout: 0, unlockingScript: new Uint8Array(), sequence: 0xffffffff }],
  outputs: [{ ...output, satoshis: 8n }],
  lockTime: 0,
};
const rawtx = toHex(serializeTransaction(transaction));
const txid = txidOf(serializeTransaction(transaction));
const submission = { txid, rawtx, extended: toHex(extendedFormat(transaction, [output])) };

/** Starts an operator with faults for its next submissions. */
function start(dialect: Dialect, faults: OperatorFault[] = []) {
  const accepted = new Set<string>();
  const waiting: (() => void)[] = [];
  const nodes: Nodes = {
    judge: () => null,
    accept: (bytes) => void accepted.add(txidOf(bytes)),
    depthOf: (id) => (accepted.has(id) ? 0 : null),
    outputOf: () => output,
    later: (task) => void waiting.push(task),
  };
  const operator = new Operator(nodes, new Random(1));
  operator.dialect = dialect;
  const send = async (url: string, { json }: { json?: unknown }) => {
    const method = json === undefined ? 'GET' : 'POST';
    const fault = method === 'POST' ? (faults.shift() ?? null) : null;
    const answer = operator.answer(method, url, JSON.stringify(json ?? null), fault, false);
    return { status: answer.status, text: answer.text, retryAfter: answer.retryAfter ?? null };
  };
  const client = createBroadcaster({ url: '', key: null }, { send, now: () => 0 });
  return { client, accepted, forward: () => waiting.forEach((task) => task()) };
}

describe.each<Dialect>(['arc', 'arcade'])('an operator that speaks %s', (dialect) => {
  test('the operator’s dialect is detected, and the operator accepts a transaction', async () => {
    const { client, accepted } = start(dialect);
    expect(await client.dialect()).toBe(dialect);
    const { kind } = await client.submit(submission);
    expect(kind).toBe(dialect === 'arc' ? 'accepted' : 'pending');
    expect(accepted).toContain(txid);
    expect((await client.status(txid))?.txStatus).toMatch(/^SEEN_/);
  });

  test.each<[OperatorFault, string, string | undefined]>([
    ['refused', 'refused', undefined],
    ['keeps rejected', dialect === 'arc' ? 'refused' : 'pending', 'REJECTED'],
    ['chain too long', dialect === 'arc' ? 'later' : 'pending', 'REJECTED'],
    ['silence', 'pending', undefined],
    ['received', 'pending', 'RECEIVED'],
    ['not final', 'later', undefined],
    ['overloaded', 'later', undefined],
    ['key required', 'unreachable', undefined],
  ])('the operator accepts the same transaction after the fault "%s"', async (fault, kind, txStatus) => {
    const { client, accepted, forward } = start(dialect, [fault]);
    expect(await client.submit(submission)).toMatchObject({ kind });
    expect((await client.status(txid))?.txStatus).toBe(txStatus);
    expect(accepted.size).toBe(0);
    if (fault === 'received') forward();
    else await client.submit(submission);
    expect(accepted).toContain(txid);
    expect((await client.status(txid))?.txStatus).toMatch(/^SEEN_/);
  });
});

test('Arcade rejects a transaction without the outputs that it spends, but ARC accepts it', async () => {
  const raw = { ...submission, extended: null };
  expect(await start('arcade').client.submit(raw)).toMatchObject({ kind: 'refused', needsExtended: true });
  expect(await start('arc').client.submit(raw)).toMatchObject({ kind: 'accepted' });
});

test('Arcade, unlike ARC, returns no status for a transaction that was submitted elsewhere', async () => {
  const [arc, arcade] = [start('arc'), start('arcade')];
  for (const { accepted } of [arc, arcade]) accepted.add(txid);
  expect(await arc.client.status(txid)).toMatchObject({ txid });
  expect(await arcade.client.status(txid)).toBeNull();
});
