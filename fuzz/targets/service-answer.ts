/** Fuzzes responses from the wallet's service: payments, records, rates, and other users' public data. */
import * as api from '../../protocol/http/api.ts';
import * as assets from '../../protocol/assets/assets.ts';
import * as received from '../../protocol/http/received.ts';
import * as records from '../../protocol/http/records.ts';
import { priceText, toSatoshis } from '../../protocol/money/money.ts';
import { parseTransactionHex } from '../../protocol/bitcoin/transaction.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { must, mustEqual, orRefusal, target } from '../target.ts';
import { jsonOf, readings, type Schemas } from './testing-schemas.ts';
import { transactions, TXID } from './testing-seeds.ts';

const SCHEMAS = Object.fromEntries(
  Object.entries({ ...api, ...assets, ...received, ...records }).filter(
    ([, one]) => typeof one === 'object' && 'safeParse' in one,
  ),
) as unknown as Schemas;

const paid = [{ script: '51', satoshis: '5' }];
const arrived = {
  ...{
    id: '1',
    txid: TXID,
    rawtx: toHex(transactions()[0]!),
    satoshis: '5',
    outputs: [{ ...paid[0], index: 3 }],
    paymentId: '9',
  },
  ...{ sender: 'ann@pay.example', senderVerified: true, note: 'tea', createdAt: '2026-01-01T00:00:00Z' },
};
const sent = {
  ...{
    txid: TXID,
    origin: 'https://a.example',
    clientIdentifier: null,
    label: 'Tea',
    buttonId: null,
    buttonData: null,
    refundOf: null,
  },
  outputs: [{ type: 'PAYMAIL', to: 'ann@pay.example', scripts: paid }],
};

export default target({
  form: 'json',
  seeds: () =>
    [
      { received: [arrived], more: false },
      { sent: [sent], received: [{ txid: TXID, scripts: paid, sender: null, senderVerified: false, note: null }] },
      { rates: { USD: '45.1', SATS: '100000000' }, time: '2026-01-01T00:00:00Z' },
      { nonce: 'a'.repeat(20), issuedAt: '2026-01-01T00:00:00Z', expiresAt: '2026-01-01T00:05:00Z' },
      { id: '75101', paymail: 'ann@pay.example', name: 'Ann' },
      { error: { code: 'not-found', message: 'Nothing is there.' } },
    ].map((one) => JSON.stringify(one)),
  read: (input) => {
    const body = jsonOf(input);
    return body === undefined ? null : readings(SCHEMAS, body);
  },
  check: (found) => {
    const { rates = {} } = (found.ratesResponse ?? {}) as { rates?: Record<string, string> };
    for (const price of Object.values(rates))
      if (priceText(price) !== null) orRefusal(['invalid-amount', 'amount-too-small'], () => toSatoshis('1', price));
    const { received: list = [] } = (found.receivedResponse ?? {}) as { received?: received.ReceivedTransaction[] };
    for (const { rawtx, satoshis } of list) {
      orRefusal(['invalid-transaction'], () => parseTransactionHex(rawtx));
      must(BigInt(satoshis) >= 0n, 'the amount is negative');
    }
    for (const [name, read] of Object.entries(found))
      mustEqual(readings({ [name]: SCHEMAS[name]! }, read)[name], read, `${name} is read differently`);
  },
});
