/**
 * Reports a payment to its button's service if the wallet has no account there. The page names the service, so it may
 * be any third party. It gets only the data that its page learns anyway, and a proof that the wallet made the
 * transaction, which names that service and not the user (protocol/signed-messages/report-message.ts).
 */
import { errorResponse } from '../../../protocol/http/api.ts';
import { isErrorCode, isDeclined } from '../../../protocol/errors/service-error.ts';
import type { Settings } from '../../../protocol/messages/wallet-messages.ts';
import { askHost } from '../../paymail/host.ts';
import { isServiceForm } from './button-service.ts';
import type { Outgoing, Rejection } from './outgoing.ts';
import { isLeft, type PaymentRecord, type ServiceReport } from '../record.ts';
import { reportOf } from './report.ts';
import { isGivenUp, nextTry, DAY_MS } from '../retry.ts';
import type { Wallet } from '../../platform.ts';

/** Timeout of the service (milliseconds), which queries the network about the transaction. */
const TIMEOUT_MS = 20_000;

/** The service of a payment's button, as reported by its page; null if the wallet may not contact it. */
export function buttonServiceOf(
  { service }: PaymentRecord,
  settings: Pick<Settings, 'network' | 'serviceUrl'>,
): string | null {
  return service !== null && isServiceForm(service, settings) ? service : null;
}

/**
 * The same if it is notified without an account; null if it is the service of the wallet's account.
 * @param account origin of the service of the wallet's account
 */
export function anonymousServiceOf(
  record: PaymentRecord,
  settings: Pick<Settings, 'network' | 'serviceUrl'>,
  account: string | null,
): string | null {
  const service = buttonServiceOf(record, settings);
  return service === account ? null : service;
}

/** True if the wallet now has an account at the button's service, whose own report is yet to be sent and is enough. */
export function isByAccountNow({ report, serviceReport }: PaymentRecord, account: string | null): boolean {
  return serviceReport?.state === 'waiting' && report.state === 'waiting' && serviceReport.service === account;
}

/** @param account origin of the service of the wallet's account, or null */
export function buttonReport(wallet: Wallet, record: PaymentRecord, account: string | null): Outgoing | null {
  const { serviceReport } = record;
  if (!serviceReport || (serviceReport.state !== 'waiting' && !isLeft(record, account))) return null;
  return {
    kind: 'report',
    target: serviceReport.service,
    clock: serviceReport,
    silence: 'paymail-unavailable',
    send: (headers = {}) => ask(wallet, record, serviceReport, headers),
    after(rejection) {
      const ended = isGivenUp(wallet, record, serviceReport) ? 'given-up' : 'waiting';
      const state = !rejection ? 'done' : rejection.final ? 'refused' : ended;
      return { ...nextTry(wallet, serviceReport, rejection?.problem ?? null, DAY_MS), state };
    },
    put: (now, changed) => ({ ...now, serviceReport: now.serviceReport && { ...now.serviceReport, ...changed } }),
  };
}

/**
 * Reports it.
 * @returns null if the service acknowledges
 * @throws ServiceError if there was no response
 */
async function ask(
  wallet: Wallet,
  record: PaymentRecord,
  { service, proof }: ServiceReport,
  headers: Record<string, string>,
): Promise<Rejection | null> {
  const { status, body } = await askHost(wallet, `${service}/api/v2/payments`, {
    client: record.origin,
    json: { ...reportOf(record, service), inputProof: proof },
    timeoutMs: TIMEOUT_MS,
    headers,
  });
  if (status === 200 || status === 201) return null;
  const answered = errorResponse.safeParse(body);
  const code = answered.success && isErrorCode(answered.data.error.code) ? answered.data.error.code : null;
  if (code !== null) return { problem: code, final: isDeclined(code, 'report') };
  // The page's script came from elsewhere, so there is no such service.
  return { problem: `status ${status}`, final: status === 404 || status === 405 || status === 410 };
}
