/**
 * The approval window: one for a payment, with an id that nobody can guess, showing what the wallet worked out itself.
 */
import { toWireError, ServiceError, type WireError } from '../../../protocol/errors.ts';
import { addressScript, type Network } from '../../../protocol/address.ts';
import { fromHex, toHex } from '../../../protocol/bytes.ts';
import type { ApprovalView, Rate, ShownOutput } from '../../../protocol/wallet-messages.ts';
import type { Terms } from '../allowances/allowance.ts';
import { costAt, decide } from '../allowances/decide.ts';
import { allowanceRates, readAllowance, viewOf } from '../allowances/store.ts';
import { currenciesOf } from '../allowances/wanted.ts';
import { rateOrNull } from '../chain/rates.ts';
import { balance } from '../coins/store.ts';
import { database } from '../database.ts';
import { finishInPayment } from './operations.ts';
import { shownOperations } from '../crypto-operations/view.ts';
import { describeScript } from '../recipients/describe-script.ts';
import { readSettings } from '../settings.ts';
import { offersBlock } from '../sites/site.ts';
import { recordApproval, readSite } from '../sites/store.ts';
import { vaultStatus } from '../vault/vault.ts';
import { nextChange } from '../events.ts';
import { closeWindow, openWindow, randomId, wasRead, windowExists } from '../prompts/window.ts';
import { draftPayment } from './build.ts';
import { processPayment } from './process.ts';
import { allowanceKeyOf } from './from-allowance.ts';
import type { PaymentRecord } from './record.ts';
import { endAsked, endUnsigned, readPayment, transition } from './transition.ts';
import type { ResolvedOutput } from '../recipients/quote.ts';
import { showsMore } from '../crypto-operations/run.ts';

/** Opens the window of a requested payment where none is open. A page that asks again cannot pull it to the front. */
export async function showApproval(record: PaymentRecord): Promise<void> {
  if (await windowExists(record.approval?.windowId)) return;
  const id = randomId();
  const approval = { id, windowId: null, shownAt: null, feeSatoshis: null };
  if (!(await transition(record.id, 'requested', () => ({ approval })))) return;
  const windowId = await openWindow(id);
  const kept = await transition(record.id, 'requested', (now) => ({
    approval: { ...(now.approval ?? approval), windowId },
  }));
  if (!kept) await closeWindow(windowId);
  // Closed before it was noted: nobody heard that.
  if (kept && windowId !== null && !(await windowExists(windowId))) await approvalWindowClosed(windowId);
}

/** A window was closed: if it was an approval's, and nothing was decided, that is a no. */
export async function approvalWindowClosed(windowId: number): Promise<void> {
  const open = await (await database()).getAllFromIndex('payments', 'state', 'requested');
  const record = open.find((one) => one.approval?.windowId === windowId);
  if (record) await endAsked(record.id, 'user', new ServiceError('approval-closed'));
}

/** The browser has restarted: its windows are gone, and with them what they asked. */
export async function dropOldApprovals(): Promise<void> {
  for (const record of await (await database()).getAllFromIndex('payments', 'state', 'requested')) {
    await endUnsigned(record.id, 'refused', new ServiceError('approval-closed'));
  }
}

/** Is this the id of a payment's window? */
export async function isPaymentApproval(approvalId: string): Promise<boolean> {
  return paymentOf(approvalId).then(
    () => true,
    () => false,
  );
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
  let record = await paymentOf(approvalId);
  const settings = await readSettings();
  const { locked } = await vaultStatus();
  let feeSatoshis: bigint | null = null;
  let problem: WireError | null = null;
  try {
    if (!locked) record = await finishInPayment(record);
    feeSatoshis = (await draftPayment(record)).plan.feeSatoshis;
  } catch (error) {
    problem = toWireError(error);
  }
  const { quote, options } = record;
  if (!quote) throw new ServiceError('approval-unknown');
  // Only what is new is written: a change is told to the window, which would read again, and so on for as long as it
  // waits.
  if (record.approval?.shownAt === null || record.approval?.feeSatoshis !== feeSatoshis) {
    await transition(record.id, 'requested', ({ approval }) =>
      approval?.id === approvalId
        ? { approval: { ...approval, shownAt: approval.shownAt ?? Date.now(), feeSatoshis } }
        : {},
    );
  }
  const rate = await rateOrNull(settings.currency);
  const { wanted = null } = record;
  const outputs = await Promise.all(quote.outputs.map((output) => shownOutput(output, settings.network)));
  const rates = await allowanceRates(rate, wanted ? currenciesOf(wanted) : []);
  return {
    kind: 'payment',
    automatic: record.automatic,
    clientIdentifier: options.clientIdentifier ?? '',
    allowance: await allowanceOf(record, feeSatoshis, rates),
    allowanceRates: rates,
    wanted,
    mayBlock: offersBlock(await readSite(record.origin), Date.now()),
    origin: record.origin,
    locked,
    network: settings.network,
    outputs,
    data: shownData(options.opReturn),
    operations: shownOperations(options, record.operations ?? []),
    amount: quote.amount,
    currency: quote.currency,
    satoshis: quote.satoshis.toString(),
    feeSatoshis: feeSatoshis?.toString() ?? null,
    totalSatoshis:
      feeSatoshis === null ? null : ((outputs.every(({ own }) => own) ? 0n : quote.satoshis) + feeSatoshis).toString(),
    rate,
    quotedRate: quote.currency === 'BSV' ? null : (quote.rate ?? null),
    balanceSatoshis: (await balance()).satoshis.toString(),
    problem,
  };
}

/** What an allowance lacks, as far as the window says it. */
const SHORTS = ['too-much-at-once', 'used-up', 'above-ceiling', 'rate-moved'] as const;

/** The allowance for such payments, and what it lacks for this one. */
async function allowanceOf(
  record: PaymentRecord,
  fee: bigint | null,
  known: readonly Rate[],
): Promise<ApprovalView['allowance']> {
  const allowance = await readAllowance(allowanceKeyOf(record));
  if (!allowance) return null;
  const rate = known.find(({ currency }) => currency === allowance.currency) ?? (await rateOrNull(allowance.currency));
  const cost = rate && record.quote && fee !== null ? costAt(record.quote.satoshis + fee, rate) : null;
  const decision = decide({
    allowance,
    cost,
    now: Date.now(),
    userActivation: 'new',
    automatic: record.automatic,
    locked: false,
  });
  const short = decision.kind === 'ask' ? (SHORTS.find((one) => one === decision.reason) ?? null) : null;
  return { ...viewOf(allowance), short };
}

/** An output with what the wallet itself reads in its scripts, whatever the page or a paymail's host calls them. */
export async function shownOutput(
  { scripts, host, ...output }: ResolvedOutput,
  network: Network,
): Promise<ShownOutput> {
  const read = await Promise.all(
    scripts.map(async ({ script }) => {
      const described = describeScript(fromHex(script), network);
      return { ...described, own: described.address !== null && (await isOwn(described.address, network)) };
    }),
  );
  const simple = read.filter(({ kind, data }) => kind === 'address' && data.length === 0);
  return {
    ...output,
    host: host
      ? {
          paymail: host.paymail,
          host: new URL(host.origin).host,
          name: host.name,
          known: host.known,
          keyChangedSince: host.keyChangedSince,
          ...(host.keyUntold && { keyUntold: true }),
        }
      : null,
    own: read.length > 0 && read.every((one) => simple.includes(one) && one.own),
    scripts: output.type === 'SCRIPT' ? read : read.filter((one) => !simple.includes(one)),
  };
}

async function isOwn(address: string, network: Network): Promise<boolean> {
  return (await (await database()).getKey('addresses', toHex(addressScript(address, network)))) !== undefined;
}

function shownData(opReturn: string | undefined): ApprovalView['data'] {
  if (opReturn === undefined || opReturn === '') return null;
  const bytes = new TextEncoder().encode(opReturn);
  return { text: opReturn, hex: toHex(bytes), bytes: bytes.length };
}

/**
 * Takes the user's no, and where the user wants it blocks the site until a time (milliseconds since 1970).
 * @throws ServiceError `approval-unknown`
 */
export async function refuseApproval(approvalId: string, blockedUntil: number | null = null): Promise<void> {
  const record = await paymentOf(approvalId);
  await endAsked(record.id, 'user', new ServiceError('refused'), blockedUntil);
}

/**
 * Takes the user's yes. Returns once the payment is signed.
 * @param seenFee the fee on the screen at that moment, in satoshis: the most that will be paid
 * @param grant the allowance that the user gives along with it, once it is signed
 * @throws ServiceError `approval-unknown`, `too-soon`, `wallet-locked`, `fee-changed`, `insufficient-funds` and others
 * of
 *   signing
 */
export async function payApproval(
  approvalId: string,
  seenFee: bigint | null = null,
  grant: Terms | null = null,
): Promise<void> {
  const asked = await paymentOf(approvalId);
  if (!wasRead(asked.approval)) throw new ServiceError('too-soon');
  if ((await vaultStatus()).locked) throw new ServiceError('wallet-locked');
  const record = await finishInPayment(asked);
  if (asked.operations && showsMore(asked.operations)) throw new ServiceError('too-soon'); // the user has not seen it yet
  const latest = record.approval?.feeSatoshis ?? null;
  // A later look at the payment may have told a higher fee than the one that the user was reading.
  const shown = latest !== null && seenFee !== null && seenFee < latest ? seenFee : latest;
  await draftPayment(record, shown ?? undefined); // throws what stands in the way
  if (shown === null) throw new ServiceError('fee-changed');
  const approved = await transition(record.id, 'requested', async ({ approval, origin }, tx) => {
    if (approval?.id !== approvalId) throw new ServiceError('approval-unknown');
    await recordApproval(tx, origin);
    return { state: 'approved', approvedAt: Date.now(), grant, approval: { ...approval, feeSatoshis: shown } };
  });
  if (!approved) throw new ServiceError('approval-unknown');
  await signedOrFailed(record.id);
}

/** Waits until an approved payment is signed. What comes after needs no window. */
async function signedOrFailed(id: string): Promise<void> {
  void processPayment(id);
  for (;;) {
    const change = nextChange(id);
    const record = await readPayment(id);
    if (record?.error) throw new ServiceError(record.error.code, { message: record.error.message });
    if (record?.state !== 'approved') return;
    await change;
  }
}
