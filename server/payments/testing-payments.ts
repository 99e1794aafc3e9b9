/** For tests that read payments: writes them to the database without a report. */
import { randomBytes, randomUUID } from 'node:crypto';
import { metadataOf } from '../../protocol/payments/metadata.ts';
import type { Database } from '../database/connect.ts';
import {
  applications,
  paymailDestinations,
  paymentOutputs,
  payments,
  receivedTransactions,
  users,
} from '../database/schema.ts';
import type { StoredPayment } from './stored-payment.ts';

type Payment = StoredPayment['payment'];
type Output = StoredPayment['outputs'][number];

/** Returns a payment of 0.10 USD without a sender's account or an application. */
export const storedPayment = (change: Partial<Payment> = {}): Payment => ({
  id: randomUUID(),
  userId: null,
  senderPaymail: null,
  reported: true,
  txid: randomBytes(32).toString('hex'),
  normalizedTxid: randomBytes(32).toString('hex'),
  rawtx: Uint8Array.of(1, 2, 0xff),
  amount: '0.10',
  currency: 'USD',
  satoshis: 200_000n,
  inputSatoshis: null,
  outputSatoshis: null,
  usdRate: '50',
  currencyRate: '50',
  origin: null,
  clientIdentifier: null,
  ...metadataOf({}),
  refundSatoshis: null,
  refundedSatoshis: 0n,
  tokenId: null,
  tokenUnits: null,
  assetId: null,
  tokenValidity: null,
  nextTokenCheckAt: null,
  tokenChecks: 0,
  cryptoOperations: [],
  status: 'RECEIVED',
  statusDescription: null,
  network: 'seen',
  unseenSince: null,
  createdAt: new Date('2027-05-02T10:00:00Z'),
  sequence: null,
  updatedAt: new Date('2027-05-02T10:00:00Z'),
  nextCheckAt: null,
  checks: 0,
  callbackAskedAt: null,
  ...change,
});

export const storedOutput = (change: Partial<Output> = {}): Output => ({
  paymentId: randomUUID(),
  position: 0,
  type: 'ADDRESS',
  to: 'mvVZWzpCQQGoEn8FvY4H8hR7DhkmHFTsXV',
  paymail: null,
  userId: null,
  address: 'mvVZWzpCQQGoEn8FvY4H8hR7DhkmHFTsXV',
  script: null,
  amount: '0.10',
  currency: 'USD',
  satoshis: 200_000n,
  scripts: [{ script: '6a', satoshis: '200000' }],
  reference: null,
  recipientId: null,
  paymentCreatedAt: null,
  ...change,
});

export async function insertPayment(
  db: Database,
  change: Partial<Payment> = {},
  outputs: readonly Partial<Output>[] = [],
): Promise<Payment> {
  const payment = storedPayment(change);
  await db.insert(payments).values(payment);
  const rows = outputs.map((output, position) => storedOutput({ position, ...output, paymentId: payment.id }));
  if (rows.length > 0) await db.insert(paymentOutputs).values(rows);
  return payment;
}

/** Stores a payment that a user received by paymail. Returns the delivery's ID. */
export async function insertReceived(
  db: Database,
  userId: number,
  { id: paymentId, txid, createdAt }: Payment,
  change: Partial<typeof receivedTransactions.$inferInsert> = {},
): Promise<string> {
  const [id, reference] = [randomUUID(), randomUUID()];
  await db.insert(paymailDestinations).values({ reference, userId, satoshis: 1n, outputs: [], createdAt });
  const row = { id, reference, userId, txid, paymentId, paymentCreatedAt: createdAt, senderVerified: false, createdAt };
  await db.insert(receivedTransactions).values({ ...row, ...change });
  return id;
}

export async function insertUser(db: Database, handle: string): Promise<number> {
  const [user] = await db
    .insert(users)
    .values({ handle, name: handle, publicKey: handle, receivingXpub: '', createdAt: new Date(0) })
    .returning({ id: users.id });
  return (user as { id: number }).id;
}

export async function insertApplication(db: Database, ownerId: number, clientIdentifier: string): Promise<void> {
  await db.insert(applications).values({
    id: randomUUID(),
    ownerId,
    name: clientIdentifier,
    url: 'https://shop.example',
    description: '',
    clientIdentifier,
    clientSecretHash: '',
    oauthIdentifier: `oauth-${clientIdentifier}`,
    webhookSecret: '',
    requirePkce: true,
    requireSecret: true,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  });
}
