/** Payments: reported by the sender's wallet, read by those who may. */
import { Router } from 'express';
import { paymentReport, type PaymentReport } from '../../protocol/api.ts';
import type { Network } from '../../protocol/address.ts';
import { ServiceError } from '../../protocol/errors.ts';
import type { ArcClient } from '../chain/arc-client.ts';
import type { Database } from '../database/connect.ts';
import { jsonBody, readBody } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import type { User } from '../identity/accounts.ts';
import { requireWallet } from '../identity/tokens.ts';
import { assertAccepted } from './acceptance.ts';
import { checkReport } from './check-report.ts';
import { findPayment, insertPayment, isSameReport, paymentView, paymentIdOf, type StoredPayment } from './store.ts';
import { mayRead } from './visibility.ts';

/** What these routes work with. */
export interface PaymentsContext {
  db: Database;
  network: Network;
  arc: ArcClient;
  now: () => Date;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Both take a wallet's bearer token (401 `unauthenticated`).
 * - POST /api/v2/payments: 201, and 200 for the same report again; 409 `payment-conflict` where the id or the transaction
 *   belongs to another report; 400 `invalid-request`, `invalid-amount`; 413 `too-large`; 422 `invalid-transaction`,
 *   `payment-mismatch`, `invalid-recipient`, `unsupported-recipient`, `not-accepted`; 503 `network-unavailable`.
 * - GET /api/v2/payments/{id}: 200; 404 `not-found`, also for who may not read it.
 */
export function paymentRoutes({ db, network, arc, now }: PaymentsContext): Router {
  const router = Router();

  router.post('/api/v2/payments', noStore, async (request, response, next) => {
    // Before the body is read: strangers do not get to send 25 MB.
    response.locals.user = await requireWallet(db, request, now());
    next();
  }, jsonBody('25mb'), async (request, response) => {
    const { id: userId, publicKey } = response.locals.user as User;
    const body = readBody(paymentReport, request.body);
    const report = { ...body, id: body.id.toLowerCase() };
    const known = await findPayment(db, report.id);
    if (known) {
      response.status(200).json(paymentView(assertSame(known, userId, report)));
      return;
    }
    const checked = checkReport(report, network, publicKey);
    const [other, accepted] = await Promise.all([paymentIdOf(db, checked.txid), arc.transaction(checked.txid)]);
    // The same id here is this very report, sent twice at once.
    if ((other ?? report.id) !== report.id) throw alreadyReported();
    assertAccepted(accepted);
    const inserted = await insertPayment(db, userId, report, checked, now());
    const stored = inserted ?? (await findPayment(db, report.id));
    // Nothing under this id although it was not inserted: its transaction came in under another one meanwhile.
    if (!stored) throw alreadyReported();
    response.status(inserted ? 201 : 200).json(paymentView(assertSame(stored, userId, report)));
  });

  router.get('/api/v2/payments/:id', noStore, async (request, response) => {
    const user = await requireWallet(db, request, now());
    const id = String(request.params.id);
    const found = UUID.test(id) ? await findPayment(db, id.toLowerCase()) : null;
    if (!found || !mayRead(found, user.id)) throw new ServiceError('not-found');
    response.json(paymentView(found));
  });

  return router;
}

function alreadyReported(): ServiceError {
  return new ServiceError('payment-conflict', { message: 'This transaction was already reported as another payment.' });
}

function assertSame(stored: StoredPayment, userId: number, report: PaymentReport): StoredPayment {
  if (!isSameReport(stored, userId, report)) throw new ServiceError('payment-conflict');
  return stored;
}
