/**
 * Transactions. `@bsv/sdk` reads what is cut off or left over, and gives back the bytes that it was given, so it is asked to write each
 * from its fields: what it then writes as it stood, and what the network's rules allow, we must read too, and the same.
 */
import { Transaction as SdkTransaction } from '@bsv/sdk';
import { MAX_SATOSHIS } from '../../protocol/money.ts';
import { parseTransaction, serializeTransaction, txidOf } from '../../protocol/transaction.ts';
import { concatBytes, fromHex, toHex } from '../../protocol/bytes.ts';
import { subjectOfBeef } from '../../server/chain/envelope.ts';
import { must, mustEqual, orNull, orRefusal, target } from '../target.ts';
import { transactions } from './testing-seeds.ts';

/** What `@bsv/sdk` reads and writes as it stood; null where a rule of the network forbids that. */
function theirs(input: Uint8Array): SdkTransaction | null {
  // It takes counts on trust, and ends with its memory: the reader of envelopes counts first.
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
      ours ? 'read, and not by @bsv/sdk' : 'not read, though @bsv/sdk writes it so',
    );
    if (!ours || !sdk) return;
    mustEqual(toHex(serializeTransaction(ours)), toHex(input), 'written otherwise');
    mustEqual(txidOf(input), sdk.id('hex'), 'another id');
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
      'other inputs',
    );
    mustEqual(
      ours.outputs.map((one) => [Number(one.satoshis), toHex(one.lockingScript)]),
      sdk.outputs.map((one) => [one.satoshis, one.lockingScript.toHex()]),
      'other outputs',
    );
  },
});
