/** Tests when the service's record of a payment matches its transaction, and which parts of the record are stored. */
import { describe, expect, test } from 'vitest';
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { SentRecord } from '../../protocol/http/records.ts';
import type { SpentPart } from '../coins/receipts/receipt.ts';
import { testPair, testScript } from '../../testkit/wallet/coins.ts';
import { hash160 } from '../keys/keys.ts';
import { paidRecord } from './paid-record.ts';
import { metadataOf } from '../../protocol/payments/metadata.ts';

const addressOf = (index: number) => writeAddress(hash160(testPair(index).publicKey), 'testnet');
const script = (index: number, satoshis: number) => ({
  script: toHex(testScript(index)),
  satoshis: String(satoshis),
});
const DATA = { script: '006a0161', satoshis: '0' };
const PUZZLE = { script: '51', satoshis: '7' };

type Output = SentRecord['outputs'][number];
const SAID: SentRecord = {
  txid: 'aa'.repeat(32),
  origin: 'https://shop.example',
  clientIdentifier: 'shop',
  ...metadataOf({ label: 'A book', buttonId: 'order-7' }),
  outputs: [{ type: 'ADDRESS', to: addressOf(0), scripts: [script(0, 900)] }],
};
/** Returns the outgoing part of a transaction that pays these amounts to the addresses with these indexes. */
const spent = (...paid: [index: number | null, satoshis: number][]): SpentPart => ({
  feeSatoshis: 10n,
  count: paid.length,
  paid: paid.map(([index, satoshis]) => ({
    address: index === null ? null : addressOf(index),
    satoshis: BigInt(satoshis),
  })),
});
const recordOf = (said: Partial<SentRecord>, part: SpentPart = spent([0, 900])) =>
  paidRecord(part, { ...SAID, ...said }, 'testnet').record;
const ofOutput = (output: Partial<Output>, part?: SpentPart) =>
  recordOf({ outputs: [{ ...SAID.outputs[0]!, ...output }] }, part);

const KEPT = {
  origin: 'https://shop.example',
  clientIdentifier: 'shop',
  ...metadataOf({ label: 'A book', buttonId: 'order-7' }),
  outputs: [{ type: 'ADDRESS', to: addressOf(0), address: addressOf(0), satoshis: 900n }],
};

test('a matching record is stored, with the amounts of the transaction', () => {
  expect(recordOf({})).toEqual(KEPT);
});

test('nothing is stored without a record, or without data to compare with', () => {
  expect(paidRecord(spent([0, 900]), undefined, 'testnet')).toEqual({});
  expect(recordOf({}, { ...spent([0, 900]), feeSatoshis: null })).toBeUndefined();
  expect(recordOf({}, { ...spent([0, 900]), count: 2 })).toBeUndefined();
  expect(paidRecord(spent([0, 900]), SAID, 'mainnet')).toEqual({});
});

describe('a site', () => {
  test.each([null, 'https://shop.example:8443', 'http://localhost:3000'])('the origin %s is accepted', (origin) => {
    expect(recordOf({ origin })).toEqual({ ...KEPT, origin });
  });

  test.each([
    '',
    'shop.example',
    'https://shop.example/',
    'https://shop.example/book',
    'https://shop.example:443',
    'HTTPS://shop.example',
    'https://ann@shop.example',
    'ftp://shop.example',
    'wss://shop.example',
    'javascript:alert(1)',
    'null',
  ])('the origin %j is rejected', (origin) => {
    expect(recordOf({ origin })).toBeUndefined();
  });
});

describe('outputs that are not the wallet’s', () => {
  test('each output is included once, in any order', () => {
    const outputs: Output[] = [1, 0].map((index) => ({
      type: 'ADDRESS',
      to: addressOf(index),
      scripts: [script(index, 500)],
    }));
    const both = spent([0, 500], [1, 500]);
    expect(recordOf({ outputs }, both)?.outputs.map(({ address }) => address)).toEqual([addressOf(1), addressOf(0)]);
    expect(recordOf({ outputs: outputs.slice(1) }, both)).toBeUndefined();
    expect(recordOf({ outputs: [...outputs, outputs[0]!] }, both)).toBeUndefined();
    expect(recordOf({ outputs }, spent([0, 500]))).toBeUndefined();
  });

  test('each output must have the recorded amount and address', () => {
    expect(ofOutput({ scripts: [script(0, 901)] })).toBeUndefined();
    expect(ofOutput({ scripts: [script(1, 900)] })).toBeUndefined();
    // Amounts are compared individually, not in total.
    expect(ofOutput({ scripts: [script(0, 400), script(0, 500)] })).toBeUndefined();
  });

  test('several outputs may have the same recipient, with one address or none', () => {
    expect(ofOutput({ scripts: [script(0, 400), script(0, 500)] }, spent([0, 500], [0, 400]))?.outputs).toEqual([
      { type: 'ADDRESS', to: addressOf(0), address: addressOf(0), satoshis: 900n },
    ]);
    const two = { scripts: [script(0, 400), script(1, 500)] };
    expect(ofOutput({ type: 'PAYMAIL', to: 'till@shop.example', ...two }, spent([0, 400], [1, 500]))?.outputs).toEqual([
      { type: 'PAYMAIL', to: 'till@shop.example', address: null, satoshis: 900n },
    ]);
    expect(ofOutput(two, spent([0, 400], [1, 500]))).toBeUndefined();
  });

  test('an output may have a form other than an address, and a data output without money is excluded', () => {
    expect(ofOutput({ type: 'SCRIPT', to: '', scripts: [DATA, PUZZLE] }, spent([null, 7]))?.outputs).toEqual([
      { type: 'SCRIPT', to: '', address: null, satoshis: 7n },
    ]);
    expect(ofOutput({ type: 'SCRIPT', to: '', scripts: [PUZZLE] }, spent([0, 7]))).toBeUndefined();
    expect(ofOutput({ scripts: [DATA, script(0, 900)] })).toEqual(KEPT);
  });
});

describe('a recipient', () => {
  test.each<[Output['type'], string]>([
    ['PAYMAIL', 'till@shop.example'],
    ['USER', '1'],
    ['USER', '9'.repeat(15)],
    ['SCRIPT', ''],
  ])('a recipient of type %s is accepted: %j', (type, to) => {
    expect(ofOutput({ type, to })?.outputs).toEqual([{ type, to, address: addressOf(0), satoshis: 900n }]);
  });

  test.each<[Output['type'], string]>([
    ['ADDRESS', addressOf(1)],
    ['ADDRESS', ''],
    ['PAYMAIL', 'the tax office'],
    ['PAYMAIL', addressOf(0)],
    ['USER', ''],
    ['USER', '0'],
    ['USER', '01'],
    ['USER', '1'.repeat(16)],
    ['USER', '1 '],
    ['USER', 'u1'],
    ['USER', 'till@shop.example'],
    ['SCRIPT', 'the tax office'],
  ])('a recipient of type %s is rejected: %j', (type, to) => {
    expect(ofOutput({ type, to })).toBeUndefined();
  });
});

test('a value is an amount of money and its currency', () => {
  const worth = (said: Partial<SentRecord>) => recordOf(said)?.worth;
  expect(worth({ serviceAmount: '0.01', currency: 'USD' })).toEqual({ amount: '0.01', currency: 'USD' });
  for (const said of [
    { serviceAmount: null, currency: 'USD' },
    { currency: 'USD' },
    { serviceAmount: '0.01' },
    { serviceAmount: '0.01', currency: 'BSV' },
  ])
    expect(recordOf(said)).toEqual(KEPT);
});
