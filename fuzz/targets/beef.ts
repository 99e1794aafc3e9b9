/**
 * Fuzzes BEEF as parsed by the wallet. If the wallet accepts an input, `@bsv/sdk` must accept it with the same
 * transactions, except for missing ancestors, and the service's parser must find the same parts.
 */
import { Beef } from '@bsv/sdk';
import { readBeef } from '../../wallet/chain/read-beef.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { subjectOfBeef } from '../../server/chain/envelope.ts';
import { must, mustEqual, orRefusal, target } from '../target.ts';
import { beefs, rootOf } from './testing-beef.ts';

export default target({
  form: 'bytes',
  seeds: beefs,
  read: (input) => orRefusal(['invalid-transaction'], () => readBeef(input)),
  check: ({ subject, members }, input) => {
    const sdk = Beef.fromBinary([...input]);
    mustEqual(
      [...members.values()].map(({ txid, bytes }) => [txid, toHex(bytes)]),
      sdk.txs.filter((one) => !one.isTxidOnly).map((one) => [one.txid, toHex(Uint8Array.from(one.rawTx ?? []))]),
      'the transactions differ from @bsv/sdk’s',
    );
    mustEqual(subject, sdk.atomicTxid ?? null, 'the subject differs from @bsv/sdk’s');
    if (!sdk.verifyValid(true).valid) {
      const { missingInputs, notValid } = sdk.sortTxs();
      must(missingInputs.length + notValid.length > 0, 'accepted, but invalid in @bsv/sdk');
    }
    for (const { bump } of members.values()) if (bump) must(rootOf(bump.bytes) !== '', 'a merkle path has no root');
    const last = [...members.values()].at(-1);
    if (last && subject === null) mustEqual(toHex(subjectOfBeef(input)), toHex(last.bytes), 'the subjects differ');
  },
});
