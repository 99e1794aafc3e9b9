/** Payment reports from senders' wallets. */
import type { RequestHandler } from 'express';
import * as z from 'zod/mini';
import { anonymousReportResponse, paymentReport, paymentResponse } from '../../../protocol/http/api.ts';
import { metadataOf } from '../../../protocol/payments/metadata.ts';
import { jsonBody, readBody } from '../../http/body.ts';
import { noStore } from '../../http/headers.ts';
import type { Limit } from '../../http/rate-limit.ts';
import type { User } from '../../identity/accounts.ts';
import { requireWallet } from '../../identity/tokens.ts';
import { createAcceptReport, type ReportContext } from '../../payment-reports/accept-report.ts';
import { paymentView } from '../../payments/view.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { ID, PAYMENT_RESPONSE, RAWTX, REPORTED_OUTPUT, SIGNATURE } from '../openapi/samples.ts';

/** Limit per IP address for wallets without an account here, because each report can cause a network query. */
const ANONYMOUS_REPORTS: Limit = { name: 'anonymous-reports', perMinute: 60, burst: 120 };

const answer = z.union([paymentResponse, anonymousReportResponse]);

/**
 * A wallet with an account sends its token. Any other wallet authenticates by `inputProof`, and the response only
 * confirms that the report was accepted. The report's own ID makes requests idempotent without an `Idempotency-Key`.
 */
export function reportRoutes(context: ReportContext): RouteFamily {
  const { db, now, limits } = context;
  const [readLarge, readSmaller] = [
    jsonBody('25mb', ({ locals }) => `user:${(locals.user as User).id}`),
    jsonBody('5mb'),
  ];

  const acceptReport = createAcceptReport(context);

  const handlers: RequestHandler[] = [
    noStore,
    async (request, response, next) => {
      // Checked before the body is read, because anonymous reports have a lower size limit: 5 MB instead of 25 MB.
      const isAnonymous = request.headers.authorization === undefined;
      if (isAnonymous) await limits.takeByAddress(ANONYMOUS_REPORTS, request, response);
      response.locals.user = isAnonymous ? null : await requireWallet(db, request, now());
      next();
    },
    (request, response, next) => (response.locals.user === null ? readSmaller : readLarge)(request, response, next),
    async (request, response) => {
      const user = response.locals.user as User | null;
      const body = readBody(paymentReport, request.body);
      const report = { ...body, id: body.id.toLowerCase() };
      const { stored, isNew } = await acceptReport(report, user, response);
      const { id, txid, status } = stored.payment;
      response.status(isNew ? 201 : 200).json(user ? paymentView(stored) : { payment: { id, txid, status } });
    },
  ];
  return serve([
    {
      id: 'reportPayment',
      method: 'post',
      path: '/api/v2/payments',
      tag: 'Wallets',
      summary:
        'Reports a payment that the network has accepted, or responds 200 if it is already reported. Wallets without an account at this service need no token. If an account repeats such a report, the payment becomes its own',
      by: 'any-wallet',
      body: paymentReport,
      answers: { 201: answer, 200: answer },
      errors: [
        'invalid-request',
        'invalid-amount',
        'payment-conflict',
        'too-large',
        'invalid-transaction',
        'payment-mismatch',
        'invalid-recipient',
        'not-accepted',
        'unrelated-payment',
        'network-unavailable',
        'service-unavailable',
        'request-timeout',
      ],
      example: {
        body: {
          id: ID,
          inputProof: SIGNATURE,
          rawtx: RAWTX,
          inputs: ['9000000'],
          amount: '2.50',
          currency: 'USD',
          origin: 'https://shop.example',
          clientIdentifier: 'client-of-the-shop',
          ...metadataOf({ buttonId: 'invoice-17' }),
          outputs: [REPORTED_OUTPUT],
        },
        answer: PAYMENT_RESPONSE,
      },
      handlers,
    },
  ]);
}
