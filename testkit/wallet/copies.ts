/** Creates an application's requests for an exact copy of an existing transaction. */
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex } from '../../protocol/bitcoin/transaction.ts';
import { output } from './applications.ts';

/** Returns `createAction` arguments that reproduce a transaction (hex) exactly. */
export function copyOf(rawtx: string, options: object = { noSend: true }) {
  const { version, lockTime, inputs, outputs } = parseTransactionHex(rawtx);
  return {
    description: 'the same again',
    version,
    lockTime,
    inputs: inputs.map(({ txid, vout, unlockingScript, sequence }) => ({
      outpoint: `${txid}.${vout}`,
      inputDescription: 'something of mine',
      unlockingScript: toHex(unlockingScript),
      sequenceNumber: sequence,
    })),
    outputs: outputs.map(({ satoshis, lockingScript }) => output(Number(satoshis), toHex(lockingScript))),
    options: { randomizeOutputs: false, ...options },
  };
}

/** Like {@link copyOf}, but leaves all inputs unsigned. The returned `spends` is the argument for `signAction`. */
export function copyToSign(rawtx: string) {
  const copy = copyOf(rawtx);
  const inputs = copy.inputs.map(({ unlockingScript, ...input }) => ({
    ...input,
    unlockingScriptLength: unlockingScript.length / 2,
  }));
  const spends = Object.fromEntries(
    copy.inputs.map(({ unlockingScript, sequenceNumber }, i) => [i, { unlockingScript, sequenceNumber }]),
  );
  return { args: { ...copy, inputs }, spends };
}
