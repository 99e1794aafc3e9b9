/**
 * Fuzzes transactions as submitted to the service: raw, in Extended Format, and as BEEF. The two BEEF parsers must
 * agree.
 */
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { EnvelopeError } from '../../server/chain/envelope-error.ts';
import { readEnvelope, subjectOfBeef } from '../../server/chain/envelope.ts';
import { must, mustEqual, target } from '../target.ts';
import { beefs } from './testing-beef.ts';
import { transactions } from './testing-seeds.ts';

function orRefused<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof EnvelopeError) return null;
    throw error;
  }
}

/** Returns a transaction with one input in Extended Format, which contains the spent output after the input. */
function extended(): Uint8Array {
  const [raw = new Uint8Array()] = transactions();
  const input = 4 + 1 + 41;
  return concatBytes(
    raw.subarray(0, 4),
    fromHex('0000000000ef'),
    raw.subarray(4, input),
    fromHex('e80300000000000001ac'),
    raw.subarray(input),
  );
}

export default target({
  form: 'bytes',
  seeds: () => [...transactions(), extended(), ...beefs()],
  read: (input) => ({
    envelope: orRefused(() => readEnvelope(input)),
    subject: orRefused(() => subjectOfBeef(input)),
  }),
  check: ({ envelope, subject }, input) => {
    const isBeef = /^(?:0[12]00beef|01010101)/.test(toHex(input.subarray(0, 4)));
    must(isBeef || subject === null, 'a subject, but not a BEEF');
    if (!envelope) return;
    must(envelope.candidates.length > 0, 'no transaction');
    const size = envelope.candidates.reduce((sum, { bytes }) => sum + bytes.length, 0);
    must(size <= input.length, 'more bytes than in the input');
    if (isBeef) mustEqual(subject && toHex(subject), toHex(envelope.candidates.at(-1)!.bytes), 'the subjects differ');
  },
});
