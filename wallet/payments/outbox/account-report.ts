/** The report of a payment to the service of the wallet's account, and of a mint to the one that describes the asset. */
import { toServiceError, type ErrorCode, isDeclined } from '../../../protocol/errors/service-error.ts';
import { reportMint } from '../../service/assets.ts';
import { reportPayment } from '../../service/client.ts';
import { publicKeys } from '../../vault/vault.ts';
import type { Outgoing, Rejection, Tried } from './outgoing.ts';
import { isPutOff, isReportable, newReport, type PaymentRecord, type Report } from '../record.ts';
import { mintReportOf, reportOf } from './report.ts';
import { nextReport } from '../retry.ts';
import type { Wallet } from '../../platform.ts';

/** Minimum delay before a rejected report that may still be accepted is sent again (milliseconds). */
export const PUT_OFF_MS = 3600_000;

/** @param account origin of the service of the wallet's account, or null */
export function accountReport(wallet: Wallet, record: PaymentRecord, account: string | null): Outgoing | null {
  const { report } = record;
  if (account === null || report.state !== 'waiting' || !isReportable(record, account)) return null;
  return {
    kind: 'report',
    target: account,
    clock: report,
    silence: 'service-unavailable',
    send: (headers) => send(wallet, record, account, headers),
    after: (rejection) => after(wallet, report, rejection),
    put: (now, changed) => ({ ...now, report: { ...now.report, ...changed } as Report }),
  };
}

async function send(wallet: Wallet, record: PaymentRecord, account: string, headers = {}): Promise<Rejection | null> {
  const mint = record.asset?.mint;
  try {
    if (mint) await reportMint(wallet, mint.assetId, mintReportOf(record), mint.service);
    else await reportPayment(wallet, account, reportOf(record, account), headers);
    return null;
  } catch (error) {
    const { code } = toServiceError(error);
    // Deleted assets don't return.
    return { problem: code, final: (mint && code === 'not-found') || isDeclined(code, 'report') };
  }
}

async function after(wallet: Wallet, report: Report, rejection: Rejection | null): Promise<Tried> {
  if (!rejection || rejection.final) return { ...newReport('waiting'), state: rejection ? 'refused' : 'done' };
  const problem = rejection.problem as ErrorCode;
  const tried = {
    ...nextReport(wallet, report, problem, (await publicKeys(wallet)).identity),
    state: 'waiting',
  } as const;
  return isPutOff(tried) ? { ...tried, nextAt: wallet.now() + PUT_OFF_MS } : tried;
}
