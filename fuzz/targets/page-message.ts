/** Fuzzes messages from pages, relays, frames and windows, including BRC-100 calls: `[method, parameters]`. */
import { readOperations } from '../../wallet/crypto-operations/read.ts';
import { brc100Arguments } from '../../protocol/brc100/methods.ts';
import { pageMethods } from '../../protocol/messages/page-messages.ts';
import { frameMessage, relayMessage } from '../../protocol/messages/swipe-messages.ts';
import { walletMethods } from '../../protocol/messages/wallet-messages/methods.ts';
import { mustEqual, orRefusal, target } from '../target.ts';
import { jsonOf, readings, type Schemas } from './testing-schemas.ts';
import { PUBLIC_KEY, TXID } from './testing-seeds.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

const wallet = Object.fromEntries(Object.entries(walletMethods).map(([name, { params }]) => [name, params]));
const SCHEMAS = { ...pageMethods, ...wallet, ...brc100Arguments, relayMessage, frameMessage } as unknown as Schemas;

const output = { to: 'ann@pay.example', amount: '0.10', currency: 'USD' };
const options = {
  outputs: [output],
  label: 'Tea',
  opReturn: 'hello',
  cryptoOperations: [{ name: 'a', method: 'sign', data: 'text', dataEncoding: 'utf8' }],
};
const EXAMPLES: [string, unknown][] = [
  ['wallet/hello', {}],
  ['rates/read', { currencies: ['USD'] }],
  ['payment/request', { id: 'a'.repeat(32), options, activation: 'new' }],
  ['allowance/left', { clientIdentifier: 'shop' }],
  ['allowance/ask', { clientIdentifier: 'shop', amount: '5', currency: 'USD' }],
  [
    'identity/sign-in',
    { nonce: 'a'.repeat(20), issuedAt: '2026-01-01T00:00:00Z', expiresAt: '2026-01-01T00:05:00Z', register: null },
  ],
  ['brc100/call', { call: 'getVersion', args: '{}' }],
  ['relayMessage', { swipe: 'offer', button: 1, options, scale: 1 }],
  ['frameMessage', { swipe: 'bind', secret: 'a'.repeat(32), ancestors: ['https://a.example'], scale: 2 }],
  [
    'createAction',
    {
      description: 'a description',
      inputs: [{ outpoint: `${TXID}.0`, inputDescription: 'an input', unlockingScript: '51' }],
      outputs: [{ lockingScript: '51', satoshis: 1, outputDescription: 'an output', basket: 'things', tags: ['a'] }],
      labels: ['a'],
      options: { acceptDelayedBroadcast: false, noSend: true },
    },
  ],
  [
    'internalizeAction',
    {
      tx: [1, 1, 1, 1],
      outputs: [{ outputIndex: 0, protocol: 'basket insertion', insertionRemittance: { basket: 'things' } }],
      description: 'a description',
    },
  ],
  ['getPublicKey', { protocolID: [2, 'tests of keys'], keyID: '1', counterparty: PUBLIC_KEY }],
  ['verifySignature', { data: [1, 2], signature: [3], protocolID: [1, 'tests of keys'], keyID: '1' }],
  ['listOutputs', { basket: 'things', tags: ['a'], limit: 5 }],
];

export default target({
  form: 'json',
  seeds: () => EXAMPLES.map((example) => JSON.stringify(example)),
  read: (input) => {
    const given = jsonOf(input);
    if (!Array.isArray(given)) return null;
    const [name, params] = given as unknown[];
    if (typeof name !== 'string' || !Object.hasOwn(SCHEMAS, name)) return null;
    const found = readings({ [name]: SCHEMAS[name]! }, params);
    const asked = pageMethods['payment/request'].safeParse(params).data?.options.cryptoOperations ?? [];
    const operations = orRefusal(['invalid-operation', 'data-too-large', 'forbidden-data', 'invalid-request'], () =>
      readOperations(current, asked),
    );
    return { name, found, operations, asked };
  },
  check: ({ name, found, operations, asked }) => {
    if (operations)
      mustEqual(
        operations.map((one) => one.name),
        asked.map((one) => one.name),
        'other operations',
      );
    // BRC-100 is excluded, because its schemas convert lists to bytes, and numbers to bigints.
    const read = found[name];
    if (read !== undefined && !Object.hasOwn(brc100Arguments, name))
      mustEqual(readings({ [name]: SCHEMAS[name]! }, read)[name], read, 'read differently');
  },
});
