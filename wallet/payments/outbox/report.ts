/** Builds payment reports and determines the services that receive them. */
import * as z from 'zod/mini';
import { MAX_REPORTED_INPUTS, type PaymentReport, errorResponse } from '../../../protocol/http/api.ts';
import type { MintReport } from '../../../protocol/assets/assets.ts';
import {
  ServiceError,
  toServiceError,
  type ErrorCode,
  isDeclined,
  isErrorCode,
} from '../../../protocol/errors/service-error.ts';
import { metadataOf } from '../../../protocol/payments/metadata.ts';
import type { CryptoResult } from '../../../protocol/payments/payment.ts';
import { mintedTokenId } from '../mint-record.ts';
import type { PaymentRecord, Report, ServiceReport } from '../record.ts';
import { newReport } from '../start.ts';
import { isAccountUnusable, isPutOff, isReportable, isLeft } from '../remaining-work.ts';
import type { PaidHost } from '../../paymail/paid-host.ts';
import type { ResolvedOutput } from '../../recipients/quote.ts';
import { resultOf, type Outcome } from '../../crypto-operations/outcome.ts';
import { reportMint } from '../../service/assets.ts';
import { asAccount, call, serviceError } from '../../service/session.ts';
import { parseJson } from '../../chain/http.ts';
import { publicKeys } from '../../vault/vault.ts';
import type { Outgoing, Rejection, Tried } from './outgoing.ts';
import { nextReport, isGivenUp, nextTry, DAY_MS } from '../retry.ts';
import type { Wallet } from '../../platform.ts';
import type { Settings } from '../../../protocol/messages/wallet-messages.ts';
import { requestHost } from '../../paymail/host.ts';
import { isServiceForm } from './button-service.ts';

/** True if the service is the host that issued the destination or that receives the transaction. */
function isAt(service: string, { origin, receiveUrl, receiveBeefUrl }: PaidHost): boolean {
  return [origin, receiveUrl, receiveBeefUrl].some(
    (url) => url && URL.canParse(url) && new URL(url).origin === service,
  );
}

/** For other services, replaces a user ID, which is valid only at its own service, with the paymail that was paid. */
function recipientFor(
  service: string,
  { scripts, host, ...output }: ResolvedOutput,
): Omit<ResolvedOutput, 'scripts' | 'host'> {
  if (output.type !== 'USER' || !host?.namedBy || host.namedBy === service) return output;
  return { ...output, type: 'PAYMAIL', to: host.paymail, paymail: host.paymail, userId: null };
}

/**
 * Returns the report for a signed payment.
 * @param service origin of the receiver. The receiver doesn't get another host's reference, because it could use that
 * reference to deliver the transaction before the wallet does, under any sender's name
 */
export function reportOf(
  { id, origin, options, quote, signed, operations }: PaymentRecord,
  service: string,
): PaymentReport {
  if (!signed) throw new ServiceError('internal', { detail: 'nothing to report' });
  const inputs = signed.inputSatoshis.map(String);
  return {
    id,
    inputProof: signed.inputProof,
    rawtx: signed.rawtx,
    // Omitted for assets, because a signature that spends a token's coin proves the coin's value only together with its
    // script.
    ...(inputs.length > 0 && inputs.length <= MAX_REPORTED_INPUTS && !quote.asset && { inputs }),
    amount: quote.amount,
    currency: quote.currency,
    origin,
    clientIdentifier: options.clientIdentifier ?? null,
    ...metadataOf(options),
    ...(options.choice && { choice: options.choice }),
    outputs: quote.outputs.map((output) => ({
      ...recipientFor(service, output),
      ...(output.host && { reference: isAt(service, output.host) ? output.host.reference : null }),
      scripts: output.scripts.map(({ script, satoshis }) => ({ script, satoshis: satoshis.toString() })),
    })),
    ...(operations && { cryptoOperations: operations.map(withoutPlaintext) }),
  };
}

/** Returns the mint report to send to the service where the asset is defined. */
export function mintReportOf({ signed }: PaymentRecord): MintReport {
  if (!signed) throw new ServiceError('internal', { detail: 'nothing to report' });
  const { txid, rawtx, inputProof } = signed;
  return { tokenId: mintedTokenId(txid), rawtx, inputProof };
}

/** Removes decrypted data, which only the user and the page may see. */
function withoutPlaintext(outcome: Outcome): CryptoResult {
  const result = resultOf(outcome);
  return result.method === 'decrypt' ? { ...result, value: null } : result;
}

/** Minimum delay before a report is sent again after a rejection that isn't permanent, in milliseconds. */
export const PUT_OFF_MS = 3600_000;

/**
 * Returns the report for the account's service or, for a mint, for the service where the asset is defined.
 * @param account origin of the account's service; null without an account
 */
export function accountReport(wallet: Wallet, record: PaymentRecord, account: string | null): Outgoing | null {
  const { report } = record;
  if (account === null || report.state !== 'waiting' || !isReportable(record, account)) return null;
  return {
    kind: 'report',
    target: account,
    retry: report,
    silence: 'service-unavailable',
    send: (headers) => sendToAccount(wallet, record, account, headers),
    after: (rejection) => afterAccountReport(wallet, report, rejection),
    put: (now, changed) => ({ ...now, report: { ...now.report, ...changed } as Report }),
  };
}

async function sendToAccount(
  wallet: Wallet,
  record: PaymentRecord,
  account: string,
  headers = {},
): Promise<Rejection | null> {
  const mint = record.asset?.mint;
  try {
    if (mint) await reportMint(wallet, mint.assetId, mintReportOf(record), mint.service);
    else await reportPayment(wallet, account, reportOf(record, account), headers);
    return null;
  } catch (error) {
    const { code } = toServiceError(error);
    // A deleted asset can't be restored, so the rejection is permanent.
    return { problem: code, final: (mint && code === 'not-found') || isDeclined(code, 'report') };
  }
}

async function afterAccountReport(wallet: Wallet, report: Report, rejection: Rejection | null): Promise<Tried> {
  if (!rejection || rejection.final) return { ...newReport('waiting'), state: rejection ? 'refused' : 'done' };
  const problem = rejection.problem as ErrorCode;
  const tried = {
    ...nextReport(wallet, report, problem, (await publicKeys(wallet)).identity),
    state: 'waiting',
  } as const;
  return isPutOff(tried) ? { ...tried, nextAt: wallet.now() + PUT_OFF_MS } : tried;
}

const acknowledgment = z.object({ payment: z.object({ id: z.string() }) });

/**
 * True if a response is the service's acknowledgment of a report. The status isn't enough, because proxies and hosts of
 * static files also respond with 200, and a report that counts as acknowledged is never sent again.
 */
function isAcknowledged(
  { id }: Pick<PaymentReport, 'id'>,
  { status, body }: { status: number; body: unknown },
): boolean {
  const read = acknowledgment.safeParse(body);
  return (status === 200 || status === 201) && read.success && read.data.payment.id === id;
}

/** Timeout for the service's response, in milliseconds. The service queries the network before it responds. */
const TIMEOUT_MS = 20_000;

/** Returns the service of the payment's button, as reported by the page; null if the wallet may not contact it. */
export function buttonServiceOf(
  { service }: PaymentRecord,
  settings: Pick<Settings, 'network' | 'serviceUrl'>,
): string | null {
  return service !== null && isServiceForm(service, settings) ? service : null;
}

/**
 * Returns the button's service if it gets an anonymous report; null if it hosts the wallet's account.
 * @param account origin of the account's service; null without an account
 */
export function anonymousServiceOf(
  record: PaymentRecord,
  settings: Pick<Settings, 'network' | 'serviceUrl'>,
  account: string | null,
): string | null {
  const service = buttonServiceOf(record, settings);
  return service === account ? null : service;
}

/** True if the wallet now has an account at the button's service, whose pending account report suffices. */
export function isByAccountNow({ report, serviceReport }: PaymentRecord, account: string | null): boolean {
  const isSufficient = report.state === 'waiting' && !isAccountUnusable(report);
  return serviceReport?.state === 'waiting' && isSufficient && serviceReport.service === account;
}

/**
 * Returns the report to the button's service, if the wallet has no account there. The page names the service, which can
 * be any third party. The service gets only data that the page receives anyway, and a proof that the wallet made the
 * transaction. The proof names the service and not the user (protocol/signed-messages/report-message.ts).
 * @param account origin of the account's service; null without an account
 */
export function buttonReport(wallet: Wallet, record: PaymentRecord, account: string | null): Outgoing | null {
  const { serviceReport } = record;
  if (!serviceReport || (serviceReport.state !== 'waiting' && !isLeft(record, account))) return null;
  return {
    kind: 'report',
    target: serviceReport.service,
    retry: serviceReport,
    silence: 'paymail-unavailable',
    send: (headers = {}) => sendToButtonService(wallet, record, serviceReport, headers),
    after(rejection) {
      const ended = isGivenUp(wallet, record, serviceReport) ? 'given-up' : 'waiting';
      const state = !rejection ? 'done' : rejection.final ? 'refused' : ended;
      return { ...nextTry(wallet, serviceReport, rejection?.problem ?? null, DAY_MS), state };
    },
    put: (now, changed) => ({ ...now, serviceReport: now.serviceReport && { ...now.serviceReport, ...changed } }),
  };
}

/**
 * Sends the report to the button's service.
 * @returns null if the service acknowledges it
 * @throws ServiceError if there is no response
 */
async function sendToButtonService(
  wallet: Wallet,
  record: PaymentRecord,
  { service, proof }: ServiceReport,
  headers: Record<string, string>,
): Promise<Rejection | null> {
  const { status, body } = await requestHost(wallet, `${service}/api/v2/payments`, {
    client: record.origin,
    json: { ...reportOf(record, service), inputProof: proof },
    timeoutMs: TIMEOUT_MS,
    headers,
  });
  if (isAcknowledged(record, { status, body })) return null;
  const answered = errorResponse.safeParse(body);
  const code = answered.success && isErrorCode(answered.data.error.code) ? answered.data.error.code : null;
  if (code !== null) return { problem: code, final: isDeclined(code, 'report') };
  // These statuses mean that the host has no API for reports, because it only serves a copy of the button's script.
  return { problem: `status ${status}`, final: status === 404 || status === 405 || status === 410 };
}

/**
 * Reports a payment. Idempotent.
 * @param to the only service that may receive the report
 * @param headers additional headers
 * @throws ServiceError the service's own code, `service-unavailable`, `wallet-locked`
 */
async function reportPayment(
  wallet: Wallet,
  to: string,
  report: PaymentReport,
  headers: Record<string, string> = {},
): Promise<void> {
  const answer = await asAccount(
    wallet,
    (serviceUrl, bearer) => call(wallet, serviceUrl, '/api/v2/payments', { json: report, bearer, headers }),
    to,
  );
  if (!isAcknowledged(report, { status: answer.status, body: parseJson(answer.text) })) throw serviceError(answer);
}
