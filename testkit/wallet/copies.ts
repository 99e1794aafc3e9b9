/** An application that requests a transaction which exists already. */
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransactionHex } from '../../protocol/bitcoin/transaction.ts';
import { output } from './applications.ts';

/** Arguments of `createAction` that make exactly the same transaction again, from its bytes (hex). */
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

/** The same with every input to be signed later, and the arguments of `signAction`. */
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
