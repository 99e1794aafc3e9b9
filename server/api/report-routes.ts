/** Payments as the sender's wallet reports them. */
import type { RequestHandler, Response } from 'express';
import * as z from 'zod/mini';
import { anonymousReportResponse, paymentReport, paymentResponse, type PaymentReport } from '../../protocol/api.ts';
import type { Network } from '../../protocol/address.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { metadataOf } from '../../protocol/metadata.ts';
import { parseTransaction } from '../../protocol/transaction.ts';
import type { ArcClient } from '../chain/arc-client.ts';
import { jsonBody, readBody } from '../http/body.ts';
import { noStore } from '../http/headers.ts';
import type { Limit } from '../http/rate-limit.ts';
import type { User } from '../identity/accounts.ts';
import { requireWallet } from '../identity/tokens.ts';
import { assertAccepted } from '../payments/acceptance.ts';
import { createAcceptance, preferredWait } from '../payment-reports/await-acceptance.ts';
import { checkInputs } from '../payment-reports/check-inputs.ts';
import { checkClaim, checkReport } from '../payment-reports/check-report.ts';
import { givenDestinations } from '../payment-reports/given-destinations.ts';
import { paidAsset } from '../payment-reports/paid-asset.ts';
import { isRelated } from '../payment-reports/relation.ts';
import { findPayment, type StoredPayment } from '../payments/stored-payment.ts';
import { claimPayment, insertPayment, isSameReport, paymentIdOf, type ProvenReport } from '../payment-reports/store.ts';
import { paymentView } from '../payments/view.ts';
import { serve, type RouteFamily } from '../routing/route.ts';
import type { ApiContext } from './route.ts';
import { ID, PAYMENT_ANSWER, RAWTX, REPORTED_OUTPUT, SIGNATURE } from './samples.ts';

/** Limit per address for wallets without an account here: each report may cost a network query. */
const ANONYMOUS_REPORTS: Limit = { name: 'anonymous-reports', perMinute: 60, burst: 120 };
/**
 * Limit per transaction, regardless of the reporter: wallets keep reporting one that the network hasn't accepted yet.
 */
const REPORTS_OF_ONE: Limit = { name: 'anonymous-reports-of-one', perMinute: 10, burst: 20 };

const answer = z.union([paymentResponse, anonymousReportResponse]);

/**
 * A wallet with an account sends its token. One without an account here proves who it is by `inputProof`, which names
 * this service instead of the sender (protocol/report-message.ts). It only learns that the report was accepted. A
 * report is idempotent by its own id, so it needs no `Idempotency-Key`.
 */
export function reportRoutes({
  db,
  network,
  addresses: { baseUrl, paymailDomain },
  arc,
  now,
  rates,
  limits,
}: ApiContext & { network: Network; arc: ArcClient }): RouteFamily {
  const [readLarge, readSmaller] = [
    jsonBody('25mb', ({ locals }) => `user:${(locals.user as User).id}`),
    jsonBody('5mb'),
  ];

  const acceptance = createAcceptance(arc);

  const handlers: RequestHandler[] = [
    noStore,
    async (request, response, next) => {
      // Checked before the body is read: strangers can send only as much as a page's payment needs, not 25 MB.
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
      const known = await findPayment(db, report.id);
      const inserted = known
        ? null
        : await insertPayment(db, user?.id ?? null, report, await prove(report, user, response), now());
      const stored = known ?? inserted ?? (await findPayment(db, report.id));
      // The insert failed without a payment under this id, so its transaction has just been reported under another id.
      if (!stored) throw alreadyReported();
      const same = await assertSame(stored, report, user);
      const { id, txid, status } = same.payment;
      response.status(inserted ? 201 : 200).json(user ? paymentView(same) : { payment: { id, txid, status } });
    },
  ];
  return serve([
    {
      id: 'reportPayment',
      method: 'post',
      path: '/api/v2/payments',
      tag: 'Wallets',
      summary:
        'Reports a payment that the network has accepted; 200 for the same report again. Needs no token from a wallet without an account here; the same report by an account makes that payment its own',
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
        answer: PAYMENT_ANSWER,
      },
      handlers,
    },
  ]);

  function paymailOf({ handle }: User): string {
    return `${handle}@${paymailDomain}`;
  }

  /**
   * Asserts that the stored payment is this sender's same report. An account claims its earlier report made without
   * one.
   * @throws ServiceError `payment-conflict`; `payment-mismatch` if the account proves nothing
   */
  async function assertSame(stored: StoredPayment, report: PaymentReport, user: User | null): Promise<StoredPayment> {
    if (!isSameReport(stored, report)) throw new ServiceError('payment-conflict');
    const { userId } = stored.payment;
    if (userId === (user?.id ?? null)) return stored;
    if (userId !== null || user === null) throw new ServiceError('payment-conflict');
    checkClaim(report, user.publicKey);
    const claimed = await claimPayment(db, stored, { id: user.id, paymail: paymailOf(user) }, now());
    if (!claimed) throw new ServiceError('payment-conflict');
    return claimed;
  }

  /** Runs all checks on a new report, cheapest first. */
  async function prove(report: PaymentReport, user: User | null, response: Response): Promise<ProvenReport> {
    const publicKey = user?.publicKey ?? null;
    const destinations = await givenDestinations(db, report, paymailDomain);
    if (publicKey === null && !(await isRelated(db, report, destinations))) throw new ServiceError('unrelated-payment');
    const asset = await paidAsset(db, report, paymailDomain);
    const checked = checkReport(report, { network, publicKey, baseUrl, paymailDomain, asset, destinations });
    if (publicKey === null) await limits.take(REPORTS_OF_ONE, checked.txid, response);
    const [other, accepted, prices] = await Promise.all([
      paymentIdOf(db, checked.txid),
      acceptance.look(checked.txid, preferredWait(response.req.get('prefer')) > 0, () => response.closed),
      rates().then(
        ({ value }) => value,
        () => ({}) as Record<string, string>,
      ),
    ]);
    // The same id is the same report, sent twice concurrently.
    if ((other ?? report.id) !== report.id) throw alreadyReported();
    assertAccepted(accepted);
    const rate = (currency: string) => (Object.hasOwn(prices, currency) ? (prices[currency] ?? null) : null);
    return {
      ...checked,
      usdRate: rate('USD'),
      currencyRate: rate(report.currency),
      senderPaymail: user && paymailOf(user),
      inputSatoshis: await checkInputs(parseTransaction(checked.rawtx), report.inputs),
    };
  }
}

function alreadyReported(): ServiceError {
  return new ServiceError('payment-conflict', { message: 'This transaction was already reported as another payment.' });
}
