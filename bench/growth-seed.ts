/** Seeds a service with many payments in few statements: half of them go to one seller, the rest to 1,000 sellers. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Database } from '../server/database/connect.ts';
import { authorizations, consents } from '../server/database/schema.ts';
import { setWatermark } from '../server/database/watermark.ts';
import { issueToken } from '../server/identity/tokens.ts';
import { INDEXED } from '../server/payments/search/search-index.ts';
import { seedSales } from '../server/payments/sales/testing-sales.ts';
import {
  bearer,
  createTestWallet,
  register,
  registerApplication,
  signInOnPages,
  type TestApp,
  type TestApplication,
} from '../server/testing.ts';

const DAYS = 29;
/** Number of payments not yet acknowledged by the users' wallets. */
const WAITING = 50;

/** The users and applications used in the requests. */
export interface SeededService {
  application: TestApplication;
  /** The user who received half of all payments by paymail, through the application. */
  seller: { id: number; wallet: Record<string, string>; pages: Record<string, string>; user: Record<string, string> };
  /** The user who made a tenth of all payments. */
  payer: { id: number; wallet: Record<string, string>; pages: Record<string, string>; user: Record<string, string> };
  /** Headers for requests from the application itself. */
  client: Record<string, string>;
}

export async function seedService(app: TestApp, db: Database, count: number): Promise<SeededService> {
  const [sellerWallet, payerWallet] = [createTestWallet(), createTestWallet()];
  const [seller, payer] = [await register(app, sellerWallet, 'alice'), await register(app, payerWallet, 'bob')];
  const application = await registerApplication(app, seller);
  const client = application.clientIdentifier;
  const now = new Date(app.clock.ms);
  const from = new Date(now.getTime() - DAYS * 86_400_000);
  const half = Math.floor(count / 2);
  const [sellerId, payerId] = [Number(seller.user.id), Number(payer.user.id)];
  const stepMs = Math.max(1, Math.floor((DAYS * 86_400_000) / half));
  await seedSales(db, client, { count: half, stepMs, from });
  const start = from.toISOString();
  await db.execute(sql`
    insert into payments (id, user_id, sender_paymail, reported, txid, normalized_txid, rawtx, amount, currency, satoshis,
      usd_rate, currency_rate, client_identifier, label, button_id, status, created_at, updated_at)
    select gen_random_uuid(), case when n % 5 = 0 then ${payerId}::bigint end, 'payer' || n % 500 || '@example.com', true,
      md5('other' || n) || md5(n::text), md5(n::text), ''::bytea, '1.00', 'USD', 1000, '50', '50', 'other-' || n % 1000, 'Label', 'b' || n,
      case when n % 1000 = 0 then 'FAILED' else 'COMPLETED' end, at, at
    from generate_series(0, ${count - half - 1}::int) n,
      lateral (select ${start}::timestamptz + n::bigint * ${stepMs}::int * interval '1 millisecond' as at) times`);
  await db.execute(sql`
    insert into payment_outputs (payment_id, position, type, "to", paymail, amount, currency, satoshis, scripts, reference, recipient_id)
    select id, 0, 'PAYMAIL', 'alice@localhost', 'alice@localhost', amount, currency, satoshis, '[]', 'ref-' || id,
      case when client_identifier = ${client} then ${sellerId}::bigint end from payments`);
  await db.execute(sql`
    insert into paymail_destinations (reference, user_id, satoshis, outputs, created_at)
    select 'ref-' || id, ${sellerId}::bigint, satoshis, '[]', created_at from payments where client_identifier = ${client}`);
  await db.execute(sql`
    insert into received_transactions (id, reference, user_id, txid, payment_id, payment_created_at, sender, sender_verified, note, created_at, acknowledged_at)
    select gen_random_uuid(), 'ref-' || id, ${sellerId}::bigint, txid, id, created_at, sender_paymail, true, null, created_at,
      case when row_number() over (order by created_at desc) > ${WAITING} then created_at end
    from payments where client_identifier = ${client}`);
  await db.execute(sql`
    insert into webhook_events (id, application_id, payment_id, sequence, type, body, state, attempts, created_at, next_attempt_at)
    select 'msg_' || replace(id::text, '-', ''), ${application.id}::uuid, id, 1, 'payment.received', '{}', 'delivered', 1, created_at, null
    from payments where client_identifier = ${client}`);
  await db.execute(sql`
    insert into webhook_deliveries (id, event_id, attempted_at, duration_ms, status)
    select gen_random_uuid(), id, created_at, 12, 200 from webhook_events`);
  // Simulates the state after a first start, because indexing a million payments takes minutes.
  await setWatermark(db, INDEXED, now);
  await db.execute(sql`vacuum analyze`);
  const tokenOf = async (userId: number) => {
    const authorizationId = randomUUID();
    const scopes = ['payments:read', 'auth.user_identity:read'] as const;
    for (const scope of scopes)
      await db.insert(consents).values({ userId, applicationId: application.id, scope, grantedAt: now });
    const expiresAt = new Date(now.getTime() + 86_400_000);
    await db.insert(authorizations).values({
      id: authorizationId,
      userId,
      applicationId: application.id,
      scopes: [...scopes],
      createdAt: now,
      expiresAt,
    });
    const token = await issueToken(db, 'user', { userId, applicationId: application.id, authorizationId, scopes }, now);
    return { Authorization: `Bearer ${token}` };
  };
  const clientToken = await issueToken(
    db,
    'application',
    { applicationId: application.id, scopes: ['application_access:write'] },
    now,
  );
  return {
    application,
    seller: {
      id: sellerId,
      wallet: bearer(seller),
      pages: await signInOnPages(app, sellerWallet),
      user: await tokenOf(sellerId),
    },
    payer: {
      id: payerId,
      wallet: bearer(payer),
      pages: await signInOnPages(app, payerWallet),
      user: await tokenOf(payerId),
    },
    client: { Authorization: `Bearer ${clientToken}` },
  };
}
