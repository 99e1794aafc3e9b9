/**
 * Fuzzes transactions. `@bsv/sdk` accepts truncated data and trailing bytes, so its result is serialized again from the
 * fields. If the serialization reproduces the input and the network's rules allow the transaction, our parser must
 * accept it with equal fields.
 */
import { Transaction as SdkTransaction } from '@bsv/sdk';
import { MAX_SATOSHIS } from '../../protocol/money/money.ts';
import { parseTransaction, serializeTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { subjectOfBeef } from '../../server/chain/envelope.ts';
import { must, mustEqual, orNull, orRefusal, target } from '../target.ts';
import { transactions } from './testing-seeds.ts';

/**
 * Returns the transaction parsed by `@bsv/sdk`. Null if `@bsv/sdk` doesn't reproduce the input, or a network rule
 * forbids it.
 */
function theirs(input: Uint8Array): SdkTransaction | null {
  // A wrong count could make `@bsv/sdk` exhaust memory, so our BEEF parser checks the counts first.
  if (!orNull(() => subjectOfBeef(concatBytes(BEEF_OF_ONE, input, NO_PATH)))) return null;
  return orNull(() => {
    const read = SdkTransaction.fromBinary([...input]);
    const { version, inputs, outputs, lockTime } = read;
    const written = new SdkTransaction(version, inputs, outputs, lockTime).toBinary();
    const sum = outputs.reduce((total, { satoshis = 0 }) => total + satoshis, 0);
    const isFit = inputs.length > 0 && outputs.length > 0 && sum <= Number(MAX_SATOSHIS);
    return isFit && toHex(Uint8Array.from(written)) === toHex(input) ? read : null;
  });
}
const BEEF_OF_ONE = fromHex('0100beef0001');
const NO_PATH = new Uint8Array(1);

export default target({
  form: 'bytes',
  seeds: transactions,
  read: (input) => ({ ours: orRefusal(['invalid-transaction'], () => parseTransaction(input)) }),
  check: ({ ours }, input) => {
    const sdk = theirs(input);
    must(
      (ours === null) === (sdk === null),
      ours ? 'accepted, but @bsv/sdk rejects it' : 'rejected, but @bsv/sdk serializes it this way',
    );
    if (!ours || !sdk) return;
    mustEqual(toHex(serializeTransaction(ours)), toHex(input), 'written differently');
    mustEqual(txidOf(input), sdk.id('hex'), 'the id differs from @bsv/sdk’s');
    mustEqual(
      [
        ours.version,
        ours.inputs.map((one) => [one.txid, one.vout, toHex(one.unlockingScript), one.sequence]),
        ours.lockTime,
      ],
      [
        sdk.version,
        sdk.inputs.map((one) => [one.sourceTXID, one.sourceOutputIndex, one.unlockingScript?.toHex(), one.sequence]),
        sdk.lockTime,
      ],
      'the inputs differ',
    );
    mustEqual(
      ours.outputs.map((one) => [Number(one.satoshis), toHex(one.lockingScript)]),
      sdk.outputs.map((one) => [one.satoshis, one.lockingScript.toHex()]),
      'the outputs differ',
    );
  },
});
