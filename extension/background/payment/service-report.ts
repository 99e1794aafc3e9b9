/**
 * Reports a payment to the service of its button if the wallet has no account there (else the account's own report
 * does). The page names the service, so it may be any third party's. It gets only the data that its page learns anyway,
 * and the proof that the wallet made the transaction, which names that service and not the user
 * (protocol/report-message.ts).
 */
import { errorResponse } from '../../../protocol/api.ts';
import { isErrorCode, ServiceError } from '../../../protocol/errors.ts';
import type { Settings } from '../../../protocol/wallet-messages.ts';
import { askHost } from '../paymail/host.ts';
import { isServiceForm } from './button-service.ts';
import { isLeft, type PaymentRecord, type ServiceReport } from './record.ts';
import { isDeclined } from './declined.ts';
import { PREFER_WAIT, sendEarly, sendOnce } from './early-report.ts';
import { reportOf } from './report.ts';
import { isGivenUp, nextTry, DAY_MS } from './retry.ts';
import { accountAt } from '../settings.ts';
import { transition } from './transition.ts';

/** Time-out of the service (milliseconds), which queries the network about the transaction. */
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

/**
 * Attempts it once if that is due, but not if the wallet now has an account there whose own report is yet to be sent.
 * @returns whether it was the last attempt
 */
export async function reportToButtonService(record: PaymentRecord): Promise<boolean> {
  const { serviceReport, report } = record;
  const account = await accountAt();
  if (serviceReport?.state === 'waiting' && report.state === 'waiting' && serviceReport.service === account) {
    await transition(record.id, 'broadcast', () => ({ serviceReport: { ...serviceReport, state: 'by-account' } }));
    return true;
  }
  if (!serviceReport || serviceReport.nextAt > Date.now()) return false;
  if (serviceReport.state !== 'waiting' && !isLeft(record, account)) return false;
  const rejection = await sendOnce(earlyName(record), () => trySend(record, serviceReport));
  const problem = rejection?.problem ?? null;
  const state = !rejection
    ? 'done'
    : rejection.final
      ? 'refused'
      : isGivenUp(record, serviceReport)
        ? 'given-up'
        : 'waiting';
  await transition(record.id, 'broadcast', () => ({
    event: 'progress',
    serviceReport: { ...serviceReport, state, ...nextTry(serviceReport, problem, DAY_MS) },
  }));
  return state !== 'waiting';
}

/** Sends the report along with the first broadcast. */
export function reportEarlyToButtonService(record: PaymentRecord): void {
  const { serviceReport } = record;
  if (serviceReport?.state === 'waiting' && serviceReport.attempts === 0)
    sendEarly(earlyName(record), () => trySend(record, serviceReport, PREFER_WAIT));
}

const earlyName = ({ id }: PaymentRecord) => `${id} button`;

/** A request without a response may get one later. */
function trySend(record: PaymentRecord, report: ServiceReport, headers = {}): Promise<Rejection | null> {
  return ask(record, report, headers).catch((error: unknown) => ({
    problem: error instanceof ServiceError ? error.code : 'internal',
    final: false,
  }));
}

interface Rejection {
  problem: string;
  final: boolean;
}

/**
 * Reports it.
 * @returns null if the service acknowledges
 * @throws ServiceError if there was no response
 */
async function ask(
  record: PaymentRecord,
  { service, proof }: ServiceReport,
  headers: Record<string, string>,
): Promise<Rejection | null> {
  const { status, body } = await askHost(`${service}/api/v2/payments`, {
    client: record.origin,
    json: { ...reportOf(record, service), inputProof: proof },
    timeoutMs: TIMEOUT_MS,
    headers,
  });
  if (status === 200 || status === 201) return null;
  const answered = errorResponse.safeParse(body);
  const code = answered.success && isErrorCode(answered.data.error.code) ? answered.data.error.code : null;
  if (code !== null) return { problem: code, final: isDeclined(code, 'report') };
  // No such service is there, because the page's script came from elsewhere.
  return { problem: `status ${status}`, final: status === 404 || status === 405 || status === 410 };
}
