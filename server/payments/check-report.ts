/**
 * Does a reported transaction pay what its wallet says? Pure: nothing here asks the database or the network, and nothing
 * of the report is believed that the transaction does not show.
 */
import { addressScript, type Network } from '../../protocol/address.ts';
import type { PaymentReport } from '../../protocol/api.ts';
import { parseScript } from '../../protocol/asm.ts';
import { fromHex, toHex } from '../../protocol/bytes.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { addDecimals, parseDecimal, toSatoshis } from '../../protocol/money.ts';
import { reportMessage } from '../../protocol/report-message.ts';
import { normalizedTxidOf, parseTransaction, txidOf, type Transaction } from '../../protocol/transaction.ts';
import { isSignedBy } from '../identity/signed-message.ts';
import { outputSum } from './check-inputs.ts';

/** What was worked out from the bytes themselves. */
export interface CheckedReport {
  txid: string;
  normalizedTxid: string;
  rawtx: Uint8Array;
  /** The sum over the outputs. */
  satoshis: bigint;
  /** The sum over all outputs of the transaction, change included. */
  outputSatoshis: bigint;
  /** For each output of the report, the user who is paid at a destination that this service gave out; null for others. */
  recipients: (number | null)[];
}

type ReportedOutput = PaymentReport['outputs'][number];

const mismatch = (detail: string) => new ServiceError('payment-mismatch', { detail });

/** One of the transaction's outputs as a key of a multiset. */
const payKey = (script: string, satoshis: bigint) => `${satoshis} ${script}`;

/**
 * Checks a report to the last byte: the transaction is well formed, each declared script and value is one of its outputs
 * (two declared alike need two), values and amounts add up, and each recipient is what its scripts pay.
 * @param publicKey identity key of the account that reports
 * @throws ServiceError `invalid-transaction`, `payment-mismatch`, `invalid-amount`, `invalid-recipient`, `unsupported-recipient`
 */
export function checkReport(report: PaymentReport, network: Network, publicKey: string): CheckedReport {
  const rawtx = fromHex(report.rawtx);
  const transaction = parseTransaction(rawtx);
  const txid = txidOf(rawtx);
  checkSender(transaction, reportMessage(report.id, txid, publicKey), report.inputProof);
  takeDeclaredOutputs(transaction, report.outputs);
  checkAmounts(report);
  let satoshis = 0n;
  for (const output of report.outputs) {
    checkRecipient(output, network);
    satoshis += checkSatoshis(output);
  }
  return { txid, normalizedTxid: normalizedTxidOf(transaction), rawtx, satoshis, outputSatoshis: outputSum(transaction), recipients: report.outputs.map(() => null) };
}

/**
 * A transaction is public once it is sent: only who has the key of its first input (P2PKH: signature, compressed key) may
 * call it a payment of theirs.
 */
function checkSender({ inputs }: Transaction, message: string, inputProof: string): void {
  const key = toHex(inputs[0]?.unlockingScript.slice(-33) ?? new Uint8Array());
  if (!isSignedBy(key, message, inputProof)) throw mismatch('not signed by the key of the first input');
}

function takeDeclaredOutputs(transaction: Transaction, outputs: readonly ReportedOutput[]): void {
  const left = new Map<string, number>();
  for (const { lockingScript, satoshis } of transaction.outputs) {
    const key = payKey(toHex(lockingScript), satoshis);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  for (const { script, satoshis } of outputs.flatMap((output) => output.scripts)) {
    const key = payKey(script, BigInt(satoshis));
    const count = left.get(key) ?? 0;
    if (count === 0) throw mismatch('a declared script and value is not among the outputs');
    left.set(key, count - 1);
  }
}

function checkAmounts({ outputs, amount, currency }: PaymentReport): void {
  const sum = parseDecimal(addDecimals(outputs.map((output) => output.amount)));
  const total = parseDecimal(amount);
  if (sum.units * 10n ** BigInt(total.scale) !== total.units * 10n ** BigInt(sum.scale)) throw mismatch('amounts do not add up');
  for (const output of outputs) {
    if (output.currency !== currency) throw mismatch('mixed currencies');
    if (parseDecimal(output.amount).units === 0n) throw new ServiceError('invalid-amount');
  }
}

/** The output's value in satoshis. Amounts in other currencies than BSV were exchanged at the wallet's rate of that moment. */
function checkSatoshis(output: ReportedOutput): bigint {
  const sum = output.scripts.reduce((total, script) => total + BigInt(script.satoshis), 0n);
  if (sum === 0n || output.satoshis !== sum.toString()) throw mismatch('satoshis of an output are not those of its scripts');
  if (output.currency === 'BSV' && toSatoshis(output.amount, '1') !== sum) throw mismatch('an amount of BSV is not its satoshis');
  return sum;
}

/** Checks that kind, recipient and scripts of an output belong together. `to` repeats the recipient as it was asked for. */
function checkRecipient(output: ReportedOutput, network: Network): void {
  const { type, to, paymail, userId, address, script, scripts } = output;
  if (type === 'USER' || type === 'PAYMAIL') {
    // Only who gave the scripts out can tell whom they pay: accepted once this service gives out destinations itself.
    throw new ServiceError('unsupported-recipient');
  }
  if (paymail !== null || userId !== null || scripts.length !== 1) throw mismatch('fields of another kind of recipient');
  const paid = scripts[0]?.script;
  if (type === 'ADDRESS') {
    if (address === null || script !== null || to !== address) throw mismatch('fields of an address');
    if (toHex(addressScript(address, network)) !== paid) throw mismatch('a script that does not pay its address');
  } else {
    if (script === null || address !== null || to !== script) throw mismatch('fields of a script');
    // The wallet's reading: ASM, or else the hex of the bytes.
    const read = parseScript(script);
    if (!read || toHex(read) !== paid) throw mismatch('a script that is not the one asked for');
  }
}
