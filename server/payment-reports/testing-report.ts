/** For tests: reports, and transactions that no ledger would accept, because their inputs spend nonexistent coins. */
import { randomBytes, randomUUID } from 'node:crypto';
import { BSM, LockingScript, P2PKH, PrivateKey, Transaction as SdkTransaction, Utils } from '@bsv/sdk';
import { p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';
import type { PaymentReport } from '../../protocol/http/api.ts';
import { writeTokenScript } from '../../protocol/assets/bsv21/token.ts';
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { metadataOf } from '../../protocol/payments/metadata.ts';
import { anonymousReportMessage, reportMessage } from '../../protocol/signed-messages/report-message.ts';
import {
  parseTransaction,
  serializeTransaction,
  txidOf,
  type Transaction,
} from '../../protocol/bitcoin/transaction.ts';
import { pushData } from '../../protocol/bitcoin/push-data.ts';

export interface TestReport {
  report: PaymentReport;
  transaction: Transaction;
  txid: string;
  /** The key in the transaction's first input. */
  key: PrivateKey;
}

/** Returns an unlocking script in P2PKH format, with a fake signature and the key. */
function p2pkhUnlock(key: PrivateKey): Uint8Array {
  return concatBytes(
    pushData(Uint8Array.of(0x30, 0x44, ...randomBytes(68), 0x41)),
    pushData(fromHex(key.toPublicKey().toString())),
  );
}

/** Adds a proof by `key` for the report's ID, transaction and sender, signed with @bsv/sdk. */
export function proveReport(
  report: Omit<PaymentReport, 'inputProof'>,
  publicKey: string,
  key: PrivateKey,
): PaymentReport {
  const message = reportMessage(report.id, txidOf(fromHex(report.rawtx)), publicKey);
  return { ...report, inputProof: BSM.sign(Utils.toArray(message, 'utf8'), key, 'base64') as string };
}

/** Adds a proof for a wallet without an account at the service. The proof contains the service's origin. */
export function proveAnonymously(
  report: Omit<PaymentReport, 'inputProof'>,
  service: string,
  key: PrivateKey,
): PaymentReport {
  const message = anonymousReportMessage(report.id, txidOf(fromHex(report.rawtx)), service);
  return { ...report, inputProof: BSM.sign(Utils.toArray(message, 'utf8'), key, 'base64') as string };
}

/**
 * Creates a report and its transaction, with change and one output per amount (satoshis), each reported as 0.10 USD.
 * @param publicKey the reporting account
 */
export function createTestReport(amounts: readonly bigint[], publicKey: string): TestReport {
  const key = PrivateKey.fromRandom();
  const hashes = amounts.map(() => Uint8Array.from(randomBytes(20)));
  const transaction: Transaction = {
    version: 1,
    inputs: [
      { txid: randomBytes(32).toString('hex'), vout: 0, unlockingScript: p2pkhUnlock(key), sequence: 0xffff_ffff },
    ],
    outputs: [
      ...amounts.map((satoshis, i) => ({ satoshis, lockingScript: p2pkhScript(hashes[i] as Uint8Array) })),
      { satoshis: 5_000n, lockingScript: p2pkhScript(Uint8Array.from(randomBytes(20))) },
    ],
    lockTime: 0,
  };
  const bytes = serializeTransaction(transaction);
  const outputs = amounts.map((satoshis, i) => {
    const address = writeAddress(hashes[i] as Uint8Array, 'devnet');
    const script = toHex(p2pkhScript(hashes[i] as Uint8Array));
    return {
      type: 'ADDRESS' as const,
      to: address,
      paymail: null,
      userId: null,
      address,
      script: null,
      amount: '0.10',
      currency: 'USD',
      satoshis: satoshis.toString(),
      scripts: [{ script, satoshis: satoshis.toString() }],
    };
  });
  const cents = BigInt(10 * amounts.length);
  return {
    report: proveReport(
      {
        id: randomUUID(),
        rawtx: toHex(bytes),
        amount: `${cents / 100n}.${(cents % 100n).toString().padStart(2, '0')}`,
        currency: 'USD',
        origin: 'https://shop.example',
        clientIdentifier: null,
        ...metadataOf({ buttonId: 'invoice-1', buttonData: '{"order":1}' }),
        outputs,
      },
      publicKey,
      key,
    ),
    transaction,
    txid: txidOf(bytes),
    key,
  };
}

/** Creates a transaction (hex) signed with @bsv/sdk, with inputs of these values and one output of `out` satoshis. */
export async function createSignedTransaction(values: readonly number[], out: number): Promise<string> {
  const transaction = new SdkTransaction(1, [], [], 0);
  for (const satoshis of values) {
    const key = PrivateKey.fromRandom();
    const lockingScript = new P2PKH().lock(key.toAddress());
    transaction.addInput({
      sourceTXID: randomBytes(32).toString('hex'),
      sourceOutputIndex: 1,
      sequence: 0xffff_ffff,
      unlockingScriptTemplate: new P2PKH().unlock(key, 'all', false, satoshis, lockingScript),
    });
  }
  transaction.addOutput({ satoshis: out, lockingScript: new P2PKH().lock(PrivateKey.fromRandom().toAddress()) });
  await transaction.sign();
  return transaction.toHex();
}

/**
 * Creates a report whose transaction has a real signature: one reported input of `held` satoshis, one recipient of
 * `satoshis`, reported as 0.10 USD, a fee of 100 satoshis, and change.
 */
export async function createSignedReport(satoshis: bigint, held: bigint, publicKey: string): Promise<TestReport> {
  const { report, transaction } = createTestReport([satoshis], publicKey);
  const key = PrivateKey.fromRandom();
  const signed = new SdkTransaction(1, [], [], 0);
  signed.addInput({
    sourceTXID: transaction.inputs[0]?.txid ?? '',
    sourceOutputIndex: 0,
    sequence: 0xffff_ffff,
    unlockingScriptTemplate: new P2PKH().unlock(key, 'all', false, Number(held), new P2PKH().lock(key.toAddress())),
  });
  const script = LockingScript.fromHex(report.outputs[0]?.scripts[0]?.script ?? '');
  signed.addOutput({ satoshis: Number(satoshis), lockingScript: script });
  signed.addOutput({ satoshis: Number(held - satoshis - 100n), lockingScript: new P2PKH().lock(key.toAddress()) });
  await signed.sign();
  const rawtx = signed.toHex();
  const proven = proveReport({ ...report, rawtx, inputs: [held.toString()] }, publicKey, key);
  return { report: proven, transaction: parseTransaction(fromHex(rawtx)), txid: txidOf(fromHex(rawtx)), key };
}

/**
 * Creates a report that pays 2.50 of a token to an address, in one output.
 * @param held the output's token, amount in the token's smallest unit, and satoshis
 * @param change overrides for report fields
 */
export function createTokenReport(
  publicKey: string,
  {
    id,
    units,
    satoshis = 1n,
    spent,
  }: { id: string; units: bigint; satoshis?: bigint; spent?: { txid: string; vout: number } },
  change: Partial<PaymentReport['outputs'][number]> = {},
): TestReport {
  const { report, transaction, key } = createTestReport([satoshis], publicKey);
  const [output] = report.outputs as [PaymentReport['outputs'][number]];
  const script = writeTokenScript({ op: 'transfer', id, amt: units }, fromHex(output.scripts[0]?.script ?? ''));
  const outputs = transaction.outputs.map((one, i) => (i === 0 ? { ...one, lockingScript: script } : one));
  const inputs = transaction.inputs.map((input) => ({ ...input, ...spent }));
  const bytes = serializeTransaction({ ...transaction, inputs, outputs });
  const paid = {
    ...output,
    currency: id,
    amount: '2.50',
    scripts: [{ script: toHex(script), satoshis: `${satoshis}` }],
    ...change,
  };
  const said = { ...report, rawtx: toHex(bytes), amount: paid.amount, currency: paid.currency, outputs: [paid] };
  return { report: proveReport(said, publicKey, key), transaction: parseTransaction(bytes), txid: txidOf(bytes), key };
}
