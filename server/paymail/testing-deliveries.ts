/** For tests: a service on a network, with users who receive payments by paymail. */
import type { Transaction } from '@bsv/sdk';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Session } from '../../protocol/http/api.ts';
import { payments, receivedTransactions, users, webhookEvents } from '../database/schema.ts';
import { createTestWallet, register } from '../testing.ts';
import { useService } from '../testing-service.ts';
import { spend, startTestNetwork, type Output, type TestNetwork } from './testing-network.ts';

/**
 * Starts a service and a network before the first test, and stops them after the last.
 * @returns objects that `beforeAll` fills in
 */
export function useDeliveries() {
  const network = {} as TestNetwork;
  const bob = {} as Session;
  beforeAll(async () => void (await startTestNetwork(network)));
  const { app, database } = useService(() => ({ arcUrl: network.arcUrl, rateLimits: 'off' }));
  beforeAll(async () => {
    Object.assign(bob, await register(app, createTestWallet(), 'bob'));
    await register(app, createTestWallet(), 'carol');
  });
  beforeEach(() => {
    network.onBroadcast = async () => {};
  });
  afterAll(() => network.close());

  const db = () => database.db;
  return {
    network,
    app,
    database,
    bob,
    db,
    ask: async (satoshis: number, paymail = 'bob@localhost'): Promise<{ outputs: Output[]; reference: string }> =>
      (await app.post(`/bsvalias/p2p-payment-destination/${paymail}`, { satoshis })).body,
    receive: (hex: string, reference: string, more: object = {}, paymail = 'bob@localhost') =>
      app.post(`/bsvalias/receive-transaction/${paymail}`, { hex, reference, ...more }),
    transactionFor: async (outputs: readonly Output[]): Promise<Transaction> =>
      spend(await network.coin(100_000), outputs),
    received: () => db().select().from(receivedTransactions).orderBy(receivedTransactions.sequence),
    stored: async () =>
      JSON.stringify(
        await Promise.all([
          db().select({ id: receivedTransactions.id }).from(receivedTransactions),
          db().select({ id: payments.id }).from(payments),
          db().select({ id: webhookEvents.id }).from(webhookEvents),
          db().select({ id: users.id, base: users.receivingBase }).from(users).orderBy(users.id),
        ]),
      ),
  };
}
