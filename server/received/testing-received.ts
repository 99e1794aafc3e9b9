/** For tests of received transactions: a payer, a stranger, payees with applications, and their API responses. */
import { asc, eq } from 'drizzle-orm';
import { pino } from 'pino';
import { beforeAll } from 'vitest';
import type { Session } from '../../protocol/http/api.ts';
import { receivedResponse } from '../../protocol/http/received.ts';
import { createArcClient } from '../chain/arc-client.ts';
import { webhookEvents } from '../database/schema.ts';
import { followDue } from '../settlement/follow.ts';
import { bearer, createTestWallet, register, registerApplication, type TestApplication } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { storedBody } from '../webhooks/outbox.ts';
import { createTestDelivery } from './testing-delivery.ts';

/** A payee with two applications: `shop`, which the button names, and `other`. */
export interface Keeper {
  session: Session;
  shop: TestApplication;
  other: TestApplication;
}

export function useReceived() {
  const service = useService();
  const { app, arc, database } = service;
  const people = {} as { payer: Session; stranger: Session };
  const wallet = createTestWallet();
  const now = () => new Date(app.clock.ms);

  beforeAll(async () => {
    people.payer = await register(app, wallet, 'payer');
    people.stranger = await register(app, createTestWallet(), 'stranger');
  });

  let keepers = 0;
  const newKeeper = async (): Promise<Keeper> => {
    const session = await register(app, createTestWallet(), `keeper-${(keepers += 1)}`);
    const webhook = { webhookUrl: 'https://shop.example/hook' };
    return {
      session,
      shop: await registerApplication(app, session, webhook),
      other: await registerApplication(app, session, webhook),
    };
  };
  const newDelivery = async ({ session }: Keeper, satoshis = 500_000n) => {
    const made = await createTestDelivery(database.db, Number(session.user.id), session.user.paymail, now(), {
      satoshis,
      senderKey: wallet.publicKey,
    });
    arc.statuses.set(made.received.txid, 'SEEN_ON_NETWORK');
    return made;
  };
  const follow = async () => {
    const context = {
      db: database.db,
      arc: createArcClient(arc.url),
      now,
      log: pino({ level: 'silent' }),
      maxDelayMs: 60_000,
      callback: null,
    };
    while ((await followDue(context)) > 0);
  };
  const own = async (session: Session) =>
    (await app.get('/api/v2/me/payments', bearer(session))).body.payments as any[];
  const inbox = async ({ session }: Keeper) =>
    receivedResponse.parse((await app.get('/api/v2/me/received', bearer(session))).body).received;
  const eventsOf = (applicationId: string) =>
    database.db
      .select({ type: webhookEvents.type, paymentId: webhookEvents.paymentId, body: storedBody })
      .from(webhookEvents)
      .where(eq(webhookEvents.applicationId, applicationId))
      .orderBy(asc(webhookEvents.paymentId), asc(webhookEvents.sequence));
  const told = async (application: TestApplication) =>
    (await eventsOf(application.id)).map(({ type, paymentId }) => [type, paymentId]);
  return { ...service, people, wallet, now, newKeeper, newDelivery, follow, own, inbox, eventsOf, told };
}
