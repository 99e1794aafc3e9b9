/** The report of a payment to the service of the wallet's account, and of a mint to the one that describes the asset. */
import { toServiceError, type ErrorCode } from '../../../protocol/errors.ts';
import { reportMint } from '../service/assets.ts';
import { reportPayment } from '../service/client.ts';
import { readSettings } from '../settings.ts';
import { publicKeys } from '../vault/vault.ts';
import { isDeclined } from './declined.ts';
import type { Outgoing, Rejection, Tried } from './outgoing.ts';
import { isPutOff, isReportable, newReport, type PaymentRecord, type Report } from './record.ts';
import { mintReportOf, reportOf } from './report.ts';
import { nextReport } from './retry.ts';

/** Minimum delay before a rejected but still acceptable report is sent again (milliseconds). */
export const PUT_OFF_MS = 3600_000;

/** @param account origin of the service of the wallet's account, or null */
export function accountReport(record: PaymentRecord, account: string | null): Outgoing | null {
  const { report } = record;
  if (account === null || report.state !== 'waiting' || !isReportable(record, account)) return null;
  return {
    kind: 'report',
    target: account,
    clock: report,
    silence: 'service-unavailable',
    send: (headers) => send(record, headers),
    after: (rejection) => after(report, rejection),
    put: (now, changed) => ({ ...now, report: { ...now.report, ...changed } as Report }),
  };
}

async function send(record: PaymentRecord, headers = {}): Promise<Rejection | null> {
  const mint = record.asset?.mint;
  try {
    if (mint) await reportMint(mint.assetId, mintReportOf(record), mint.service);
    else await reportPayment(reportOf(record, new URL((await readSettings()).serviceUrl).origin), headers);
    return null;
  } catch (error) {
    const { code } = toServiceError(error);
    // An asset that is gone does not return.
    return { problem: code, final: (mint && code === 'not-found') || isDeclined(code, 'report') };
  }
}

async function after(report: Report, rejection: Rejection | null): Promise<Tried> {
  if (!rejection || rejection.final) return { ...newReport('waiting'), state: rejection ? 'refused' : 'done' };
  const problem = rejection.problem as ErrorCode;
  const tried = { ...nextReport(report, problem, (await publicKeys()).identity), state: 'waiting' } as const;
  return isPutOff(tried) ? { ...tried, nextAt: Date.now() + PUT_OFF_MS } : tried;
}
