/** Fuzzes tokens (BSV-21). An inscription's JSON must not change when it is serialized and parsed again. */
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { writeInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { MAX_SYMBOL, readToken, readTokenOperation, writeTokenScript } from '../../protocol/assets/bsv21/token.ts';
import { must, mustEqual, target, textOf } from '../target.ts';
import { TXID } from './testing-seeds.ts';

const LOCK = p2pkhScript(new Uint8Array(20));
const inscribed = (json: Uint8Array) => writeInscription('application/bsv-20', json, LOCK);

export default target({
  form: 'json',
  seeds: () => [
    `{"p":"bsv-20","op":"deploy+mint","sym":"GOLD","icon":"_1","amt":"2100","dec":"2"}`,
    `{"p":"bsv-20","op":"transfer","id":"${TXID}_0","amt":"18446744073709551615"}`,
    `{"p":"bsv-20","op":"burn","id":"${TXID}_4294967295","amt":"1"}`,
  ],
  read: (input) => readTokenOperation(inscribed(input)),
  check: (token, input) => {
    const json = JSON.parse(textOf(input)) as Record<string, unknown>;
    mustEqual([json.p, json.op, json.amt], ['bsv-20', token.op, String(token.amt)], 'the token differs from its JSON');
    must(token.amt > 0n && token.amt < 1n << 64n, 'the amount is out of range');
    if (token.op === 'burn') return;
    if (token.op === 'deploy+mint' && [...(token.sym ?? '')].length > MAX_SYMBOL) return;
    mustEqual(readToken(writeTokenScript(token, LOCK)), token, 'written differently');
  },
});
