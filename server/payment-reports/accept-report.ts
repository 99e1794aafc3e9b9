/** Validates and stores payment reports from senders' wallets. */
import type { Response } from 'express';
import type { Network } from '../../protocol/bitcoin/address.ts';
import type { PaymentReport } from '../../protocol/http/api.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { parseTransaction } from '../../protocol/bitcoin/transaction.ts';
import type { ArcClient } from '../chain/arc-client.ts';
import type { Addresses } from '../config.ts';
import type { Database } from '../database/connect.ts';
import type { Limit, RateLimits } from '../http/rate-limit.ts';
import type { User } from '../identity/accounts.ts';
import { assertAccepted } from '../payments/acceptance.ts';
import { findPayment, type StoredPayment } from '../payments/stored-payment.ts';
import type { RateSource } from '../rates/rates.ts';
import { createAcceptance, preferredWait } from './await-acceptance.ts';
import { checkInputs } from './check-inputs.ts';
import { checkClaim, checkReport } from './check-report.ts';
import { issuedDestinations } from './given-destinations.ts';
import { paidAsset } from './paid-asset.ts';
import { currentRefundOf, limitRefundEvents } from './refund.ts';
import { isRelated } from './relation.ts';
import { claimPayment, insertPayment, isSameReport, paymentIdOf } from './store.ts';

/** Limit per transaction, because wallets repeat a report until the network accepts the transaction. */
const REPORTS_OF_ONE: Limit = { name: 'anonymous-reports-of-one', perMinute: 10, burst: 20 };

/**
 * Limits for reports that wait for their transaction, because each one can cause a dozen network queries. A report
 * beyond the limits doesn't wait. Wallets then repeat it once the network has accepted the transaction.
 */
const WAITING_REPORTS = {
  account: { name: 'waiting-reports', perMinute: 60, burst: 40 },
  address: { name: 'waiting-reports-from', perMinute: 240, burst: 160 },
} as const satisfies Record<string, Limit>;

type Prices = Readonly<Record<string, string>>;

export interface ReportContext {
  db: Database;
  network: Network;
  addresses: Addresses;
  arc: ArcClient;
  now: () => Date;
  rates: RateSource;
  limits: RateLimits;
}

/**
 * Validates a report, cheapest checks first, and stores it if it is new. An account can claim a report that its wallet
 * made before it had an account.
 * @param user null for a wallet without an account here
 * @param response used for headers, and to detect a disconnected client
 * @throws ServiceError `invalid-request`, `invalid-transaction`, `payment-mismatch`, `invalid-amount`,
 * `invalid-recipient`, `unrelated-payment`, `too-many-requests`, `network-unavailable`, `not-accepted`,
 * `payment-conflict`
 */
export type AcceptReport = (
  report: PaymentReport,
  user: User | null,
  response: Response,
) => Promise<{ stored: StoredPayment; isNew: boolean }>;

export function createAcceptReport(context: ReportContext): AcceptReport {
  const { db, network, arc, now, limits } = context;
  const { baseUrl, paymailDomain } = context.addresses;
  const acceptance = createAcceptance(arc);
  const paymailOf = ({ handle }: User) => `${handle}@${paymailDomain}`;

  return async (sent, user, response) => {
    const report = { ...sent, refundOf: await currentRefundOf(db, sent.refundOf) };
    const known = await findPayment(db, report.id);
    if (known) return { stored: await sameReport(known, report, user, response), isNew: false };

    const destinations = await issuedDestinations(db, report, paymailDomain);
    if (!user && !(await isRelated(db, report, destinations))) throw new ServiceError('unrelated-payment');
    const asset = await paidAsset(db, report, paymailDomain);
    const publicKey = user?.publicKey ?? null;
    const checked = checkReport(report, { network, publicKey, baseUrl, paymailDomain, asset, destinations });
    if (!user) await limits.take(REPORTS_OF_ONE, checked.txid, response);
    const [reportedId, found, prices] = await Promise.all([
      paymentIdOf(db, checked.normalizedTxid),
      acceptance.look(
        checked.txid,
        () => mayWait(user, response),
        () => response.closed,
      ),
      currentPrices(),
    ]);
    // If the IDs are equal, the same report was sent twice concurrently.
    if (reportedId !== null && reportedId !== report.id) throw alreadyReported();
    assertAccepted(found);
    const inputSatoshis = await checkInputs(parseTransaction(checked.rawtx), report.inputs);

    const proven = {
      ...checked,
      inputSatoshis,
      usdRate: priceIn(prices, 'USD'),
      currencyRate: priceIn(prices, report.currency),
      senderPaymail: user && paymailOf(user),
    };
    if (user) await limitRefundEvents(context, report.refundOf, user.id, response);
    const inserted = await insertPayment(db, user?.id ?? null, report, proven, now());
    const stored = inserted ?? (await findPayment(db, report.id));
    // Without a payment under this ID, the insert failed because the transaction was just reported under a different ID.
    if (!stored) throw alreadyReported();
    return { stored: await sameReport(stored, report, user, response), isNew: inserted !== null };
  };

  /** Returns the stored payment if it is from the same report and sender. An account claims an anonymous report. */
  async function sameReport(
    stored: StoredPayment,
    report: PaymentReport,
    user: User | null,
    response: Response,
  ): Promise<StoredPayment> {
    const refundOf = await currentRefundOf(db, stored.payment.refundOf);
    if (!isSameReport({ ...stored, payment: { ...stored.payment, refundOf } }, report))
      throw new ServiceError('payment-conflict');
    const { userId } = stored.payment;
    if (userId === (user?.id ?? null)) return stored;
    if (userId !== null || user === null) throw new ServiceError('payment-conflict');
    checkClaim(report, user.publicKey, stored.payment.rawtx);
    await limitRefundEvents(context, stored.payment.refundOf, user.id, response);
    const claimed = await claimPayment(db, stored, { id: user.id, paymail: paymailOf(user) }, now());
    if (!claimed) throw new ServiceError('payment-conflict');
    return claimed;
  }

  async function mayWait(user: User | null, response: Response): Promise<boolean> {
    if (preferredWait(response.req.get('prefer')) === 0) return false;
    try {
      if (user) await limits.take(WAITING_REPORTS.account, String(user.id), response);
      await limits.takeByAddress(WAITING_REPORTS.address, response.req, response);
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'too-many-requests')) throw error;
      // The report is still processed, so the response needs no time for a retry.
      response.removeHeader('Retry-After');
      return false;
    }
  }

  async function currentPrices(): Promise<Prices> {
    try {
      return (await context.rates()).value;
    } catch {
      return {};
    }
  }
}

function priceIn(prices: Prices, currency: string): string | null {
  return Object.hasOwn(prices, currency) ? (prices[currency] ?? null) : null;
}

function alreadyReported(): ServiceError {
  return new ServiceError('payment-conflict', { message: 'This transaction was already reported as another payment.' });
}
