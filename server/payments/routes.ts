/** Payments as the sender's wallet reports them. */
import { Router } from 'express';
import { paymentReport, type PaymentReport } from '../../protocol/api.ts';
import type { Network } from '../../protocol/address.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { parseTransaction } from '../../protocol/transaction.ts';
import type { ArcClient } from '../chain/arc-client.ts';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import { jsonBody, readBody } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import { answerOnce } from '../http/idempotency.ts';
import { limitLargeBodies } from '../http/large-bodies.ts';
import type { User } from '../identity/accounts.ts';
import { requireWallet } from '../identity/tokens.ts';
import type { RateSource } from '../network/rates.ts';
import { assertAccepted } from './acceptance.ts';
import { checkInputs } from './check-inputs.ts';
import { checkReport } from './check-report.ts';
import { givenDestinations } from './given-destinations.ts';
import { findPayment, insertPayment, isSameReport, paymentIdOf, type ProvenReport, type StoredPayment } from './store.ts';
import { paymentView } from './view.ts';

/** What these routes work with. */
export interface PaymentsContext {
  db: Database;
  network: Network;
  addresses: Addresses;
  arc: ArcClient;
  rates: RateSource;
  now: () => Date;
}

/**
 * Takes a wallet's bearer token (401 `unauthenticated`), and `Idempotency-Key`.
 * - POST /api/v2/payments: 201, and 200 for the same report again; 409 `payment-conflict` where the id or the transaction
 *   belongs to another report; 400 `invalid-request`, `invalid-amount`; 413 `too-large`; 422 `invalid-transaction`,
 *   `payment-mismatch`, `invalid-recipient`, `not-accepted`; 503 `network-unavailable`, and
 *   `service-unavailable` while too many large reports are under way.
 */
export function paymentRoutes({ db, network, addresses: { paymailDomain }, arc, now, rates }: PaymentsContext): Router {
  const router = Router();

  router.post('/api/v2/payments', noStore, async (request, response, next) => {
    // Before the body is read: strangers do not get to send 25 MB.
    response.locals.user = await requireWallet(db, request, now());
    next();
  }, limitLargeBodies(({ locals }) => String((locals.user as User).id)), jsonBody('25mb'), async (request, response) => {
    const { id: userId, publicKey } = response.locals.user as User;
    const body = readBody(paymentReport, request.body);
    const report = { ...body, id: body.id.toLowerCase() };
    await answerOnce({
      db, now, request, response, subject: `user:${userId}`,
      prepare: async () => (await findPayment(db, report.id)) ?? prove(report, publicKey),
      write: async (tx, ready) => {
        const inserted = 'payment' in ready ? null : await insertPayment(tx, userId, report, ready, now());
        const stored = inserted ?? ('payment' in ready ? ready : await findPayment(tx, report.id));
        // Nothing under this id although it was not inserted: its transaction came in under another one meanwhile.
        if (!stored) throw alreadyReported();
        return { status: inserted ? 201 : 200, body: paymentView(assertSame(stored, userId, report)) };
      },
    });
  });

  /** Everything that can be said against a new report, the cheapest first. */
  async function prove(report: PaymentReport, publicKey: string): Promise<ProvenReport> {
    const destinations = await givenDestinations(db, report, paymailDomain);
    const checked = checkReport(report, { network, publicKey, paymailDomain, destinations });
    const [other, accepted, usdRate] = await Promise.all([
      paymentIdOf(db, checked.txid), arc.transaction(checked.txid), rates().then(({ value }) => value.USD ?? null, () => null),
    ]);
    // The same id here is this very report, sent twice at once.
    if ((other ?? report.id) !== report.id) throw alreadyReported();
    assertAccepted(accepted);
    return { ...checked, usdRate, inputSatoshis: await checkInputs(parseTransaction(checked.rawtx), report.inputs) };
  }

  return router;
}

function alreadyReported(): ServiceError {
  return new ServiceError('payment-conflict', { message: 'This transaction was already reported as another payment.' });
}

function assertSame(stored: StoredPayment, userId: number, report: PaymentReport): StoredPayment {
  if (!isSameReport(stored, userId, report)) throw new ServiceError('payment-conflict');
  return stored;
}
