/** The approval window: one for a payment, with an id that nobody can guess, showing what the wallet worked out itself. */
import browser from 'webextension-polyfill';
import { toWireError, ServiceError, type WireError } from '../../../protocol/errors.ts';
import type { ApprovalView } from '../../../protocol/wallet-messages.ts';
import { toHex } from '../../../protocol/bytes.ts';
import { rateOrNull } from '../chain/rates.ts';
import { balance } from '../coins/store.ts';
import { database } from '../database.ts';
import { readSettings } from '../settings.ts';
import { vaultStatus } from '../vault/vault.ts';
import { draftPayment } from './build.ts';
import { drivePayment } from './drive.ts';
import { endUnsigned, nextChange, readPayment, step, type PaymentRecord } from './record.ts';

/** Path of the approval window's document. */
export const APPROVAL_PAGE = 'extension/approval/index.html';
/** A decision sooner than this after the window first asked what to show is not the user's (milliseconds). */
const READING_MS = 500;

const randomId = () => toHex(crypto.getRandomValues(new Uint8Array(16)));

async function windowExists(windowId: number | null | undefined): Promise<boolean> {
  if (windowId === null || windowId === undefined) return false;
  return browser.windows.get(windowId).then(() => true, () => false);
}

/** Opens the window of a requested payment where none is open. A page that asks again cannot pull it to the front. */
export async function showApproval(record: PaymentRecord): Promise<void> {
  if (await windowExists(record.approval?.windowId)) return;
  const id = randomId();
  const approval = { id, windowId: null, shownAt: null, feeSatoshis: null };
  if (!(await step(record.id, 'requested', () => ({ approval })))) return;
  const opened = await browser.windows.create({
    type: 'popup', url: browser.runtime.getURL(`${APPROVAL_PAGE}?id=${id}`), width: 420, height: 680, focused: true,
  });
  const kept = await step(record.id, 'requested', (now) => ({ approval: { ...(now.approval ?? approval), windowId: opened.id ?? null } }));
  if (!kept && opened.id !== undefined) await browser.windows.remove(opened.id).catch(() => undefined);
  // Closed before it was noted: nobody heard that.
  if (kept && opened.id !== undefined && !(await windowExists(opened.id))) await approvalWindowClosed(opened.id);
}

/** Closes a payment's window, if it is still open. */
export async function closeApproval(record: PaymentRecord): Promise<void> {
  const windowId = record.approval?.windowId;
  if (windowId !== null && windowId !== undefined) await browser.windows.remove(windowId).catch(() => undefined);
}

/** A window was closed: if it was an approval's, and nothing was decided, that is a no. */
export async function approvalWindowClosed(windowId: number): Promise<void> {
  const open = await (await database()).getAllFromIndex('payments', 'state', 'requested');
  const record = open.find((one) => one.approval?.windowId === windowId);
  if (record) await endUnsigned(record.id, 'refused', new ServiceError('approval-closed'));
}

/** The browser has restarted: its windows are gone, and with them what they asked. */
export async function dropOldApprovals(): Promise<void> {
  for (const record of await (await database()).getAllFromIndex('payments', 'state', 'requested')) {
    await endUnsigned(record.id, 'refused', new ServiceError('approval-closed'));
  }
}

async function paymentOf(approvalId: string): Promise<PaymentRecord> {
  const open = await (await database()).getAllFromIndex('payments', 'state', 'requested');
  const record = open.find((one) => one.approval?.id === approvalId);
  if (!record) throw new ServiceError('approval-unknown');
  return record;
}

/**
 * What the window shows. The fee it names is the most that will be paid.
 * @throws ServiceError `approval-unknown`
 */
export async function readApproval(approvalId: string): Promise<ApprovalView> {
  const record = await paymentOf(approvalId);
  const { quote, options } = record;
  if (!quote) throw new ServiceError('approval-unknown');
  const settings = await readSettings();
  let feeSatoshis: bigint | null = null;
  let problem: WireError | null = null;
  try {
    feeSatoshis = (await draftPayment(record)).plan.feeSatoshis;
  } catch (error) {
    problem = toWireError(error);
  }
  // Only what is new is written: a change is told to the window, which would read again, and so on for as long as it waits.
  if (record.approval?.shownAt === null || record.approval?.feeSatoshis !== feeSatoshis) {
    await step(record.id, 'requested', ({ approval }) =>
      approval?.id === approvalId ? { approval: { ...approval, shownAt: approval.shownAt ?? Date.now(), feeSatoshis } } : {});
  }
  return {
    origin: record.origin,
    locked: (await vaultStatus()).locked,
    network: settings.network,
    outputs: quote.outputs.map(({ scripts, ...output }) => output),
    data: shownData(options.opReturn),
    amount: quote.amount,
    currency: quote.currency,
    satoshis: quote.satoshis.toString(),
    feeSatoshis: feeSatoshis?.toString() ?? null,
    totalSatoshis: feeSatoshis === null ? null : (quote.satoshis + feeSatoshis).toString(),
    rate: await rateOrNull(settings.currency),
    balanceSatoshis: (await balance()).satoshis.toString(),
    problem,
  };
}

function shownData(opReturn: string | undefined): ApprovalView['data'] {
  if (opReturn === undefined || opReturn === '') return null;
  const bytes = new TextEncoder().encode(opReturn);
  return { text: opReturn, hex: toHex(bytes), bytes: bytes.length };
}

/**
 * Takes the user's decision. Returns once the payment is signed, or refused.
 * @param seenFee the fee on the screen at that moment, in satoshis: the most that will be paid
 * @throws ServiceError `approval-unknown`, `too-soon`, `wallet-locked`, `fee-changed`, `insufficient-funds` and others of
 *   signing
 */
export async function decideApproval(approvalId: string, decision: 'pay' | 'refuse', seenFee: bigint | null = null): Promise<void> {
  const record = await paymentOf(approvalId);
  if (decision === 'refuse') {
    await endUnsigned(record.id, 'refused', new ServiceError('refused'));
    return;
  }
  const shownAt = record.approval?.shownAt;
  if (!shownAt || Date.now() - shownAt < READING_MS) throw new ServiceError('too-soon');
  if ((await vaultStatus()).locked) throw new ServiceError('wallet-locked');
  const latest = record.approval?.feeSatoshis ?? null;
  // A later look at the payment may have told a higher fee than the one that the user was reading.
  const shown = latest !== null && seenFee !== null && seenFee < latest ? seenFee : latest;
  const { feeSatoshis } = (await draftPayment(record)).plan; // throws what stands in the way, above all
  if (shown === null || feeSatoshis > shown) throw new ServiceError('fee-changed');
  const approved = await step(record.id, 'requested', ({ approval }) => {
    if (approval?.id !== approvalId) throw new ServiceError('approval-unknown');
    return { state: 'approved', approvedAt: Date.now(), approval: { ...approval, feeSatoshis: shown } };
  });
  if (!approved) throw new ServiceError('approval-unknown');
  await signedOrFailed(record.id);
}

/** Waits until an approved payment is signed. What comes after needs no window. */
async function signedOrFailed(id: string): Promise<void> {
  void drivePayment(id);
  for (;;) {
    const change = nextChange(id);
    const record = await readPayment(id);
    if (record?.error) throw new ServiceError(record.error.code, { message: record.error.message });
    if (record?.state !== 'approved') return;
    await change;
  }
}
