import { BSM, PrivateKey, Utils } from '@bsv/sdk';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ArcStatus } from '../../protocol/network/arc.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransaction, serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { createArcClient } from '../chain/arc-client.ts';
import { startTestArc, type TestArc } from '../chain/testing-arc.ts';
import { receivedTransactions } from '../database/schema.ts';
import { useTestDatabase } from '../database/testing.ts';
import { createDestination } from '../destinations/destinations.ts';
import { createUser, type User } from '../identity/accounts.ts';
import { createTestWallet } from '../testing.ts';
import { receive, type Delivery } from './receive.ts';

vi.mock('../../protocol/bitcoin/transaction.ts', async (original) => {
  const real = await original<{ txidOf: typeof txidOf }>();
  return { ...real, txidOf: vi.fn(real.txidOf) };
});

const NOW = new Date(Date.UTC(2025, 5, 1));
const database = useTestDatabase();
let arc: TestArc;
let bob: User;
let attempts: string[];
let message: string;
let asked: [paymail: string, publicKey: string][];
let isSender: () => Promise<boolean>;

beforeAll(async () => {
  arc = await startTestArc();
  arc.refusesTransactions = true;
  const { publicKey, receivingXpub } = createTestWallet();
  bob = await createUser(database.db, publicKey, { handle: 'bob', name: '', receivingXpub }, NOW);
});
afterAll(() => arc.close());
beforeEach(() => {
  [attempts, asked] = [[], []];
  isSender = async () => true;
});

interface Prepared extends Delivery {
  txid: string;
  outputs: { script: string; satoshis: string }[];
}

async function prepare(status?: ArcStatus): Promise<Prepared> {
  const { outputs, reference } = await createDestination(database.db, bob.id, 1_000n, NOW);
  return { ...pays(outputs, status), reference, outputs };
}

function pays(outputs: { script: string; satoshis: string }[], status?: ArcStatus) {
  const bytes = serializeTransaction({
    version: 1,
    lockTime: 0,
    inputs: [
      {
        txid: PrivateKey.fromRandom().toHex().padStart(64, '0'),
        vout: 0,
        unlockingScript: new Uint8Array(),
        sequence: 0,
      },
    ],
    outputs: outputs.map(({ script, satoshis }) => ({ satoshis: BigInt(satoshis), lockingScript: fromHex(script) })),
  });
  const txid = txidOf(bytes);
  if (status) arc.statuses.set(txid, status);
  return { form: 'raw' as const, hex: toHex(bytes), txid };
}

async function take(delivery: Delivery): Promise<string> {
  const attempt = () => {
    attempts.push('attempt');
    return {
      accepted: () => void attempts.push('accepted'),
      submitted: (ancestors: number) => void attempts.push(`submitted ${ancestors}`),
      refused: (of: string) => void attempts.push(`refused ${of}`),
      assertNotRefused: (of: string) => void attempts.push(`asks about ${of}`),
    };
  };
  const context = {
    db: database.db,
    arc: createArcClient(arc.url),
    now: () => NOW,
    attempt,
    isSender: (paymail: string, publicKey: string) => {
      asked.push([paymail, publicKey]);
      return isSender();
    },
  };
  try {
    return await receive(context, bob, 'bob@pay.example', delivery);
  } catch (error) {
    message = (error as Error).message;
    return (error as { code: string }).code;
  }
}
const stored = (reference: string) =>
  database.db.select().from(receivedTransactions).where(eq(receivedTransactions.reference, reference));

test('an accepted delivery doesn’t count as rejected, and repeating it causes no query', async () => {
  const delivery = await prepare('SEEN_ON_NETWORK');
  expect(await take(delivery)).toBe(delivery.txid);
  expect(attempts).toEqual(['attempt', `asks about raw ${delivery.txid}`, 'accepted']);
  expect(await stored(delivery.reference)).toHaveLength(1);
  attempts = [];
  const requests = arc.requests;
  expect(await take({ ...delivery, metadata: { signature: 'whatever', note: 'again' } })).toBe(delivery.txid);
  expect([attempts, arc.requests]).toEqual([['attempt', 'accepted'], requests]);
});

test('a rejected delivery counts as rejected, and is not stored', async () => {
  for (const delivery of [await prepare(), await prepare('REJECTED'), await prepare('DOUBLE_SPEND_ATTEMPTED')]) {
    attempts = [];
    expect(await take(delivery)).toBe('not-accepted');
    expect(attempts).toEqual(['attempt', ...['asks about', 'refused'].map((step) => `${step} raw ${delivery.txid}`)]);
    expect(await stored(delivery.reference)).toEqual([]);
  }
});

test('a rejected BEEF also counts the ancestors that were submitted for it', async () => {
  const one = await prepare();
  const parent = pays(one.outputs);
  const { inputs, ...rest } = parseTransaction(fromHex(one.hex));
  const child = serializeTransaction({ ...rest, inputs: inputs.map((input) => ({ ...input, txid: parent.txid })) });
  const beef = `0100beef0002${parent.hex}00${toHex(child)}00`;
  attempts = [];
  expect(await take({ ...one, form: 'beef', hex: beef })).toBe('not-accepted');
  expect(attempts.slice(2)).toEqual(['submitted 1', `refused beef ${txidOf(child)}`]);
});

test('a delivery in progress counts as neither accepted nor rejected, and is accepted once the network has it', async () => {
  const delivery = await prepare('ANNOUNCED_TO_NETWORK');
  expect(await take(delivery)).toBe('network-unavailable');
  arc.fault = 500;
  expect(await take(delivery)).toBe('network-unavailable');
  arc.fault = null;
  expect(attempts).toEqual([1, 2].flatMap(() => ['attempt', `asks about raw ${delivery.txid}`]));
  expect(await stored(delivery.reference)).toEqual([]);
  arc.statuses.set(delivery.txid, 'SEEN_ON_NETWORK');
  expect(await take(delivery)).toBe(delivery.txid);
});

test('a transaction that doesn’t pay the destination, or pays one already paid, is never broadcast', async () => {
  const [one, another] = [await prepare('MINED'), await prepare('MINED')];
  const requests = arc.requests;
  expect(await take({ ...one, hex: another.hex })).toBe('payment-mismatch');
  expect(await take({ ...one, reference: 'unknown' })).toBe('unknown-reference');
  expect(await take({ ...one, hex: one.hex.slice(0, -2) })).toBe('invalid-transaction');
  expect(await take({ ...one, form: 'beef' })).toBe('invalid-transaction');
  expect(arc.requests).toBe(requests);
  expect(await take(one)).toBe(one.txid);
  expect(await take({ ...pays(one.outputs), reference: one.reference })).toBe('payment-conflict');
  expect(message).toBe('Another transaction has already paid this destination.');
});

test('a delivery that doesn’t pay the destination counts as rejected, and is not hashed', async () => {
  const [one, another] = [await prepare('MINED'), await prepare('MINED')];
  vi.mocked(txidOf).mockClear();
  expect(await take({ ...one, hex: another.hex })).toBe('payment-mismatch');
  expect(attempts).toEqual(['attempt']);
  expect(txidOf).not.toHaveBeenCalled();
  expect(await take({ ...one, hex: one.hex.slice(0, -2) })).toBe('invalid-transaction');
  expect(attempts).toEqual(['attempt', 'attempt']);
  expect(await take(one)).toBe(one.txid);
  expect(txidOf).toHaveBeenCalled();
});

test('a sender counts as verified if their key signed the transaction and their host confirms the key', async () => {
  const key = PrivateKey.fromRandom();
  const publicKey = key.toPublicKey().toString();
  const sent = async (sender: string | null, isSigned: boolean) => {
    asked = [];
    const delivery = await prepare('SEEN_ON_NETWORK');
    const signature = isSigned ? (BSM.sign(Utils.toArray(delivery.txid, 'utf8'), key, 'base64') as string) : null;
    await take({ ...delivery, metadata: { sender, signature, note: 'tea' } });
    const [row] = await stored(delivery.reference);
    return [row?.sender, row?.senderVerified, asked];
  };
  expect(await sent('Ann@a.example', true)).toEqual(['ann@a.example', true, [['ann@a.example', publicKey]]]);
  expect(await sent('ann@a.example', false)).toEqual(['ann@a.example', false, []]);
  expect(await sent(null, true)).toEqual([null, false, []]);
  isSender = async () => false;
  expect(await sent('ann@a.example', true)).toEqual(['ann@a.example', false, [['ann@a.example', publicKey]]]);
});

test('the network and the sender’s host are queried concurrently', async () => {
  const key = PrivateKey.fromRandom();
  const delivery = await prepare('SEEN_ON_NETWORK');
  const signature = BSM.sign(Utils.toArray(delivery.txid, 'utf8'), key, 'base64') as string;
  const networkAsked = new Promise<void>((resolve) => {
    arc.before = async () => resolve();
  });
  isSender = async () => networkAsked.then(() => true);
  expect(await take({ ...delivery, metadata: { sender: 'ann@a.example', signature } })).toBe(delivery.txid);
  arc.before = async () => {};
});
