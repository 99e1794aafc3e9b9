/** Checks that a reported transaction makes the reported payment. Only the transaction's bytes are trusted. Pure. */
import { addressScript, type Network } from '../../protocol/bitcoin/address.ts';
import type { PaymentReport } from '../../protocol/http/api.ts';
import { parseScript } from '../../protocol/bitcoin/asm.ts';
import { isAssetName } from '../../protocol/assets/asset-name.ts';
import { readTokenDecimal } from '../../protocol/assets/bsv21/amount.ts';
import { readTokenId } from '../../protocol/assets/bsv21/token.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { firstKey } from '../../protocol/bitcoin/p2pkh-unlock.ts';
import { addDecimals, parseDecimal, toSatoshis } from '../../protocol/money/money.ts';
import { readPaymail, writePaymail } from '../../protocol/http/paymail.ts';
import { isSameDomain } from '../../protocol/text/paymail-domain.ts';
import { isWithinChoice, type OutputScript, type ReportedOutput } from '../../protocol/payments/payment.ts';
import { anonymousReportMessage, reportMessage } from '../../protocol/signed-messages/report-message.ts';
import { normalizedTxidOf, parseTransaction, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { isSignedBy } from '../identity/signed-message.ts';
import { outputSum } from './check-inputs.ts';
import type { StoredAsset } from '../assets/store.ts';
import { checkOperations } from '../payments/check-operations.ts';
import { lockOf, tokenIn } from '../payments/token.ts';

export interface CheckedReport {
  txid: string;
  normalizedTxid: string;
  rawtx: Uint8Array;
  satoshis: bigint;
  /** Sum of all the transaction's outputs, including change. */
  outputSatoshis: bigint;
  /** For each reported output, the user paid at a destination issued by this service; otherwise null. */
  recipients: (number | null)[];
  /** The token paid, or null. */
  token: CheckedToken | null;
}

export interface CheckedToken {
  id: string;
  /** Total across all outputs, in the token's smallest unit. */
  units: bigint;
  /** The asset at this service that the payer named; null if the name and amount are only the payer's claims. */
  assetId: string | null;
}

export interface IssuedDestination {
  userId: number;
  paymail: string;
  outputs: readonly OutputScript[];
}

export interface ReportTerms {
  network: Network;
  /** The reporting account's identity key (hex); null for a wallet without an account here. */
  publicKey: string | null;
  baseUrl: string;
  paymailDomain: string;
  /** The asset at this service that the outputs pay, or null. */
  asset?: Pick<StoredAsset, 'id' | 'tokenId' | 'decimals'> | null;
  /** Destinations issued by this service, keyed by the report's references. */
  destinations: ReadonlyMap<string, IssuedDestination>;
}

const mismatch = (detail: string) => new ServiceError('payment-mismatch', { detail });

/** Returns an output's key for counting equal outputs. */
const payKey = (script: string, satoshis: bigint) => `${satoshis} ${script}`;

/**
 * Validates a report: the transaction is well formed, every declared script and value is one of its outputs, amounts
 * add up, and recipients match their scripts. For another host's paymail, the payee is only the sender's claim.
 * @throws ServiceError `invalid-request`, `invalid-transaction`, `payment-mismatch`, `invalid-amount`,
 * `invalid-recipient`
 */
export function checkReport(
  report: PaymentReport,
  { network, publicKey, baseUrl, paymailDomain, asset = null, destinations }: ReportTerms,
): CheckedReport {
  if (report.cryptoOperations) checkOperations(report.cryptoOperations);
  const rawtx = fromHex(report.rawtx);
  const transaction = parseTransaction(rawtx);
  const txid = txidOf(rawtx);
  const message =
    publicKey === null ? anonymousReportMessage(report.id, txid, baseUrl) : reportMessage(report.id, txid, publicKey);
  checkSender(transaction, message, report.inputProof);
  takeDeclaredOutputs(transaction, report.outputs);
  checkAmounts(report);
  const token = checkTokens(report, asset);
  const names = report.outputs.flatMap(({ reference }) => (reference && destinations.has(reference) ? reference : []));
  if (new Set(names).size < names.length) throw mismatch('two recipients share one destination');
  let satoshis = 0n;
  const recipients = report.outputs.map((output) => {
    satoshis += checkSatoshis(output);
    if (output.type === 'USER' || output.type === 'PAYMAIL') return checkPerson(output, paymailDomain, destinations);
    checkPlace(output, network);
    return null;
  });
  return {
    txid,
    normalizedTxid: normalizedTxidOf(transaction),
    rawtx,
    satoshis,
    outputSatoshis: outputSum(transaction),
    recipients,
    token,
  };
}

/**
 * Checks only that the account's wallet made the reported transaction.
 * @param stored the stored transaction. The key is read from it, because the network has accepted it; a claim can
 * contain any unlocking script
 * @throws ServiceError `payment-mismatch`, `invalid-transaction`
 */
export function checkClaim({ id, rawtx, inputProof }: PaymentReport, publicKey: string, stored: Uint8Array): void {
  checkSender(parseTransaction(stored), reportMessage(id, txidOf(fromHex(rawtx)), publicKey), inputProof);
}

/** Requires a proof signed with the first input's key (P2PKH), because anyone can see the transaction. */
function checkSender(transaction: Transaction, message: string, inputProof: string): void {
  const key = firstKey(transaction);
  if (!key || !isSignedBy(toHex(key), message, inputProof))
    throw mismatch('the proof is not signed by the first input’s key');
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
    if (count === 0) throw mismatch('a declared script and value is not among the transaction’s outputs');
    left.set(key, count - 1);
  }
}

function checkAmounts(report: PaymentReport): void {
  const { outputs, amount, currency } = report;
  // If a payment combines money and an asset, its amount includes only the money.
  const counted = outputs.filter((output) => output.currency === currency);
  if (counted.length === 0) throw mismatch('an amount is zero, but satoshis are paid');
  const sum = parseDecimal(addDecimals(counted.map((output) => output.amount)));
  const total = parseDecimal(amount);
  if (sum.units * 10n ** BigInt(total.scale) !== total.units * 10n ** BigInt(sum.scale))
    throw mismatch('the outputs’ amounts do not sum to the payment’s');
  if (!isWithinChoice(report)) throw mismatch('the chosen amount is outside its bounds');
  for (const output of outputs) {
    if (output.currency !== currency && (isAssetName(currency) || !isAssetName(output.currency)))
      throw mismatch('mixed currencies');
    if ((parseDecimal(output.amount).units === 0n) !== isUnspendableData(output))
      throw new ServiceError('invalid-amount');
  }
}

/**
 * Checks that outputs paying an asset carry one token and, if the decimals are known, exactly the stated amount.
 * Whether the inputs contained enough is verified later (settlement/follow-tokens.ts).
 * @returns null if no token is paid
 */
function checkTokens({ outputs }: PaymentReport, asset: ReportTerms['asset']): CheckedToken | null {
  const paid = outputs.filter(({ currency }) => isAssetName(currency));
  let id: string | null = null;
  let units = 0n;
  for (const output of paid) {
    const token = tokenIn(output);
    if (output.currency !== paid[0]?.currency || !token) throw mismatch('an asset’s output contains no token');
    // A name unknown to this service refers to the token in the first output.
    id ??= asset?.tokenId ?? (readTokenId(output.currency) ? output.currency : token.id);
    if (token.id !== id) throw mismatch('another token');
    // For a token not described here, the payer claims the number of decimals. The digits must still match.
    const decimals = asset ? [asset.decimals] : DECIMALS;
    if (!decimals.some((one) => readTokenDecimal(withoutZeros(output.amount), one)?.toString() === token.units))
      throw mismatch('a token’s amount differs from its output’s');
    units += BigInt(token.units);
  }
  return id === null ? null : { id, units, assetId: asset?.tokenId ? asset.id : null };
}

const DECIMALS = Array.from({ length: 19 }, (_, i) => i);

const withoutZeros = (amount: string) => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);

/** True for scripts that begin with OP_FALSE OP_RETURN, which can't be spent. */
function isUnspendableData({ type, scripts }: ReportedOutput): boolean {
  return type === 'SCRIPT' && scripts.every(({ script }) => script.startsWith('006a'));
}

/** Returns an output's value in satoshis. The wallet converted the amount at its own rate when paying. */
function checkSatoshis(output: ReportedOutput): bigint {
  const sum = output.scripts.reduce((total, script) => total + BigInt(script.satoshis), 0n);
  if (output.satoshis !== sum.toString()) throw mismatch('an output’s satoshis differ from those of its scripts');
  if ((sum === 0n) !== isUnspendableData(output)) throw mismatch('an output has no value, or a data output has one');
  if (output.currency === 'BSV' && sum > 0n && toSatoshis(output.amount, '1') !== sum)
    throw mismatch('an amount of BSV differs from its satoshis');
  return sum;
}

/** Checks that an output's type, recipient and script match. `to` repeats the requested recipient. */
function checkPlace(output: ReportedOutput, network: Network): void {
  const { type, to, paymail, userId, address, script, scripts, reference = null } = output;
  if (paymail !== null || userId !== null || reference !== null || scripts.length !== 1)
    throw mismatch('an output has fields of another type of recipient');
  const paid = scripts[0] && (isAssetName(output.currency) ? lockOf(scripts[0]) : scripts[0].script);
  if (type === 'ADDRESS') {
    if (script !== null || to !== address) throw mismatch('an ADDRESS output has invalid fields');
    if (toHex(addressScript(address, network)) !== paid) throw mismatch('a script does not pay its address');
  } else {
    if (address !== null || to !== script) throw mismatch('a SCRIPT output has invalid fields');
    // Like the wallet, accepts ASM or hex.
    const read = parseScript(script);
    if (!read || toHex(read) !== paid) throw mismatch('a script differs from the requested one');
  }
}

/**
 * Checks that a paymail or user ID at this service is paid at a destination that the service issued.
 * @returns the payee; null for another host's paymail
 */
function checkPerson(
  output: ReportedOutput,
  paymailDomain: string,
  destinations: ReportTerms['destinations'],
): number | null {
  const { type, to, paymail, userId, address, script, scripts, reference } = output;
  const [named, other] = type === 'USER' ? [userId, paymail] : [paymail, userId];
  if (to !== named || other !== null || address !== null || script !== null)
    throw mismatch('an output has fields of another type of recipient');
  const read = type === 'PAYMAIL' ? readPaymail(named) : null;
  if (type === 'PAYMAIL' && !read) throw new ServiceError('invalid-recipient');
  // Wallets report a paymail as typed, so an internationalized domain can be in Unicode.
  const isOurs = read !== null && isSameDomain(read.domain, paymailDomain);
  const given = reference && destinations.get(reference);
  if (!given) {
    if (!read || isOurs) throw mismatch('a recipient at this service has no destination issued by it');
    return null;
  }
  const ours = isOurs ? writePaymail({ alias: read.alias, domain: paymailDomain }) : null;
  if (read ? ours !== given.paymail : userId !== String(given.userId)) throw mismatch('another’s destination');
  const isAsset = isAssetName(output.currency);
  const inOrder = (paid: readonly OutputScript[]) =>
    paid
      .map((one) => payKey(isAsset ? lockOf(one) : one.script, BigInt(one.satoshis)))
      .sort()
      .join();
  if (inOrder(scripts) !== inOrder(given.outputs))
    throw mismatch('the scripts differ from those issued for the destination');
  return given.userId;
}
