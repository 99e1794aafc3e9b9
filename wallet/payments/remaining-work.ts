/** Determines which steps of a payment remain in each state, and when they are due. Pure. */
import { isErrorCode, meaningOf } from '../../protocol/errors/service-error.ts';
import { isLive } from './move.ts';
import type { Delivery, LightPayment, Report, ServiceReport, Unfinished } from './record.ts';
import type { Retry } from './retry.ts';

/** Determines the payment's remaining work that doesn't need the user. */
export function unfinishedOf(record: LightPayment): Unfinished {
  if (record.state === 'approved' || record.state === 'signable') return 1;
  // Keeps the payment in the `unfinished` index, which is searched when a new payment may repeat it (taken-late.ts).
  if (record.takenLate && !record.knownPaid && isLive(record)) return 1;
  const retries = retriesOf(record);
  if (retries.length === 0) return 0;
  // In the state `by-account`, the button's service gets its own report if the user leaves the account (`isLeft`).
  return retries.every((retry) => retry === record.report) && record.serviceReport?.state !== 'by-account' ? 2 : 1;
}

function retriesOf(record: LightPayment): Retry[] {
  const { state, broadcast, confirmation, height } = record;
  if (state === 'signed') return [broadcast];
  const isOnNetwork = state === 'broadcast' || state === 'settled';
  return [
    ...(isOnNetwork && height === null ? [confirmation] : []),
    ...[waitingReport(record) ?? [], dueServiceReport(record) ?? [], waitingDeliveries(record)].flat(),
  ];
}

/** Returns the pending report to the wallet's own service, once the network has accepted the payment. */
function waitingReport({ state, report }: LightPayment): Report | null {
  return state === 'broadcast' && report.state === 'waiting' ? report : null;
}

/**
 * True if the payment's report can be sent. Payments are reported to the account's current service, but mints only to
 * the service where the asset is defined.
 * @param accountAt origin of the account's service; null without an account
 */
export function isReportable({ asset }: LightPayment, accountAt: string | null): boolean {
  return accountAt !== null && (asset?.mint?.service ?? accountAt) === accountAt;
}

/** Returns pending deliveries to recipients' hosts, once the network has accepted the payment. */
export function waitingDeliveries({ state, deliveries }: LightPayment): Delivery[] {
  return state === 'broadcast' ? deliveries.filter((one) => one.state === 'waiting') : [];
}

/** Returns the pending report to the button's service, once the network has accepted the payment. */
export function dueServiceReport({ state, serviceReport }: LightPayment): ServiceReport | null {
  return state === 'broadcast' && serviceReport?.state === 'waiting' ? serviceReport : null;
}

/** True if the account can't report, because the service no longer has it, or the wallet is locked. */
export const isAccountUnusable = ({ problem }: Pick<Retry, 'problem'>): boolean =>
  problem === 'unknown-account' || problem === 'wallet-locked';

/**
 * True if the button's service gets the report directly, because the wallet has left the account through which the
 * payment would have been reported, or can't use that account.
 * @param accountAt origin of the account's service; null without an account
 */
export function isLeft({ state, report, serviceReport }: LightPayment, accountAt: string | null): boolean {
  return (
    state === 'broadcast' &&
    report.state === 'waiting' &&
    serviceReport?.state === 'by-account' &&
    (serviceReport.service !== accountAt || isAccountUnusable(report))
  );
}

/** True if the delivery goes to the button's service, which gets its report first. */
export function isToButtonService({ quote, serviceReport }: LightPayment, { output }: Delivery): boolean {
  return serviceReport ? quote.outputs[output]?.host?.origin === serviceReport.service : false;
}

export function isToService({ quote }: LightPayment, { output }: Delivery): boolean {
  return quote.outputs[output]?.host?.isService === true;
}

/**
 * Returns when the next step of an unfinished payment is due (milliseconds since 1970). The account's service and the
 * button's service get the report first, so deliveries to them are due only afterwards.
 * @param accountAt origin of the account's service; null if nothing can be reported
 */
export function dueAt(record: LightPayment, accountAt: string | null): number {
  if (record.state === 'approved') return 0;
  if (record.state === 'signable') return record.action?.expiresAt ?? 0;
  const report = waitingReport(record);
  const isHeld = (one: Delivery) =>
    (accountAt !== null &&
      report !== null &&
      !isPutOff(report) &&
      !isAccountUnusable(report) &&
      isToService(record, one)) ||
    (dueServiceReport(record)?.attempts === 0 && isToButtonService(record, one));
  const held = new Set<Retry>([
    ...waitingDeliveries(record).filter(isHeld),
    ...(report && !isReportable(record, accountAt) ? [report] : []),
  ]);
  const left = isLeft(record, accountAt) ? [(record.serviceReport as ServiceReport).nextAt] : [];
  return Math.min(...left, ...retriesOf(record).flatMap((retry) => (held.has(retry) ? [] : [retry.nextAt])));
}

/**
 * True if the service rejected the report for now, because it has no such account or considers the report wrong.
 * Deliveries then don't wait for the report.
 */
export function isPutOff({ problem }: Pick<Retry, 'problem'>): boolean {
  return problem === 'unknown-account' || (isErrorCode(problem) && meaningOf(problem).final);
}
