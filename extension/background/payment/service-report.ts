/**
 * Tells the service that a button belongs to of a payment, where the wallet has no account there (else the account's
 * own report does). The page names the service, so it may be anybody's: it gets what its page learns anyway, and the
 * proof that the wallet made the transaction, which names that service and not the user (protocol/report-message.ts).
 */
import { errorResponse } from '../../../protocol/api.ts';
import { isErrorCode, ServiceError } from '../../../protocol/errors.ts';
import type { Account, Settings } from '../../../protocol/wallet-messages.ts';
import { askHost } from '../paymail/host.ts';
import { isServiceForm } from './button-service.ts';
import { stateOnNetwork, type PaymentRecord, type ServiceReport } from './record.ts';
import { isDeclined } from './declined.ts';
import { reportOf } from './report.ts';
import { isGivenUp, nextTry, DAY_MS } from './retry.ts';
import { transition } from './transition.ts';

/** The service has so long to answer (milliseconds): it asks the network about the transaction. */
const TIMEOUT_MS = 20_000;

/**
 * The service that a payment is reported to without an account: null where the page names none, or the wallet's own,
 * where its account reports.
 */
export function anonymousServiceOf(
  { service }: PaymentRecord,
  settings: Pick<Settings, 'network' | 'serviceUrl'>,
  account: Account | undefined,
): string | null {
  if (service === null || !isServiceForm(service, settings)) return null;
  return account && service === new URL(settings.serviceUrl).origin ? null : service;
}

/**
 * One try, if that is due.
 * @returns whether it was the last
 */
export async function reportToButtonService(record: PaymentRecord): Promise<boolean> {
  const { serviceReport } = record;
  if (serviceReport?.state !== 'waiting' || serviceReport.nextAt > Date.now()) return false;
  const rejection = await ask(record, serviceReport).catch((error: unknown) => ({
    problem: error instanceof ServiceError ? error.code : 'internal',
    final: false,
  }));
  const problem = rejection?.problem ?? null;
  const state = !rejection ? 'done' : rejection.final ? 'refused' : isGivenUp(record) ? 'given-up' : 'waiting';
  await transition(record.id, 'broadcast', (now) => {
    const tried = { ...serviceReport, state, ...nextTry(serviceReport, problem, DAY_MS) } as const;
    return { serviceReport: tried, state: stateOnNetwork({ ...now, serviceReport: tried }) };
  });
  return state !== 'waiting';
}

/**
 * Reports it.
 * @returns what was wrong with the answer, and whether it will never be another; null where the service acknowledges
 * @throws ServiceError where no answer came
 */
async function ask(
  record: PaymentRecord,
  { service, proof }: ServiceReport,
): Promise<{ problem: string; final: boolean } | null> {
  const { status, body } = await askHost(`${service}/api/v2/payments`, {
    client: record.origin,
    json: { ...reportOf(record, service), inputProof: proof },
    timeoutMs: TIMEOUT_MS,
  });
  if (status === 200 || status === 201) return null;
  const answered = errorResponse.safeParse(body);
  const code = answered.success && isErrorCode(answered.data.error.code) ? answered.data.error.code : null;
  if (code !== null) return { problem: code, final: isDeclined(code, 'report') };
  // Nothing of this kind is there: the page's script came from somewhere else.
  return { problem: `status ${status}`, final: status === 404 || status === 405 || status === 410 };
}
