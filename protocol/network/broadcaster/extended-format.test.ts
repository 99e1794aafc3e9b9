import { Transaction as ReferenceTransaction } from '@bsv/sdk';
import { expect, test } from 'vitest';
import { fromHex, toHex } from '../../bitcoin/bytes.ts';
import { parseTransactionHex } from '../../bitcoin/transaction.ts';
import { extendedFormat } from './extended-format.ts';

// A signed P2PKH spend of 5,000 satoshis.
const PREFIX = '01000000';
const INPUT =
  '01ab944116a372cf05a26504c53db805c2ed799a6c0f2fd47bb6ebb3d601d39059070000006a47304402202b73b8a1b0d8fc1abfe9a11303cd661cfb922aa873f434b49655153485b3ea9c0220430269de477d9968377e84f289bbbe6d45ed65016e70b1eaab60905e566c3ad9412103de40063f662fa4b6ff02cd5cf5ffc44bc524a9a48ceeee88508684102b56ec84ffffffff';
const OUTPUTS = '0124130000000000001976a91402e5cf14fc3507a689e6c6d3052545498adce9f088ac00000000';
const RAW = PREFIX + INPUT + OUTPUTS;
const SOURCE = {
  satoshis: 5000n,
  lockingScript: fromHex('76a914e81daff9a687487a1ac9f32926cdb24760f6d66088ac'),
};
const EXTENDED = `${PREFIX}0000000000ef${INPUT}88130000000000001976a914e81daff9a687487a1ac9f32926cdb24760f6d66088ac${OUTPUTS}`;

test('writes a transaction in Extended Format (BRC-30)', () => {
  expect(toHex(extendedFormat(parseTransactionHex(RAW), [SOURCE]))).toBe(EXTENDED);
});

test('the reference library parses the Extended Format as the same transaction', () => {
  const read = ReferenceTransaction.fromHexEF(toHex(extendedFormat(parseTransactionHex(RAW), [SOURCE])));
  expect(read.id('hex')).toBe('678c18977d553c194e96ad5c353654bf16615b6fe1e2d25814c1c9e626397341');
  expect(read.inputs[0]?.sourceTransaction?.outputs[7]?.satoshis).toBe(5000);
});

test('a transaction with fewer sources than inputs is rejected', () => {
  expect(() => extendedFormat(parseTransactionHex(RAW), [])).toThrow(
    expect.objectContaining({ code: 'invalid-transaction' }) as Error,
  );
});
