import { BSM, PrivateKey, Utils } from '@bsv/sdk';
import { describe, expect, it } from 'vitest';
import type { CryptoResult } from '../../protocol/payments/payment.ts';
import { checkOperations } from './check-operations.ts';

const key = PrivateKey.fromRandom();
const publicKey = key.toPublicKey().toString();
const sign = (data: string, encoding: 'utf8' | 'hex' = 'utf8') =>
  BSM.sign(Utils.toArray(data, encoding), key, 'base64') as string;
const operation = (more: Partial<CryptoResult>): CryptoResult => ({
  id: '1',
  name: 'vote',
  method: 'sign',
  data: 'yes',
  dataEncoding: 'utf8',
  value: null,
  valueEncoding: 'base64',
  key: 'identity',
  algorithm: 'bitcoin-signed-message',
  publicKey,
  paymail: null,
  signature: null,
  verified: null,
  ...more,
});
const codeOf = (more: Partial<CryptoResult>) => {
  try {
    checkOperations([operation(more)]);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const signed = (data: string, encoding: 'utf8' | 'hex' = 'utf8', more: Partial<CryptoResult> = {}) =>
  codeOf({ data, dataEncoding: encoding, value: sign(data, encoding), signature: sign(data, encoding), ...more });

describe('crypto operations in a report', () => {
  it('accepts signatures by the reported key over the reported data of any length', () => {
    expect([
      signed('yes'),
      signed('\u{1f4dc} ' + 'x'.repeat(70_000)),
      signed('00ff', 'hex'),
      signed('00FF', 'hex', { publicKey: publicKey.toUpperCase() }),
      signed('x'.repeat(253)),
    ]).toEqual([null, null, null, null, null]);
  });

  it('rejects signatures by a different key, over other data, or missing ones', () => {
    const other = PrivateKey.fromRandom().toPublicKey().toString();
    const wrong: Partial<CryptoResult>[] = [
      { publicKey: other },
      { publicKey: null },
      { data: 'no' },
      { data: null },
      { signature: null },
      { value: 'c2ln' },
      { value: null },
      { signature: 'c2ln', value: 'c2ln' },
      { signature: 'no base64!', value: 'no base64!' },
      { data: 'xyz', dataEncoding: 'hex' },
      { data: '0ff', dataEncoding: 'hex' },
    ];
    for (const more of wrong) expect(signed('yes', 'utf8', more), JSON.stringify(more)).toBe('payment-mismatch');
  });

  it('accepts only correct results of verifying a signature', () => {
    const verify = (more: Partial<CryptoResult>) =>
      codeOf({ method: 'verify', signature: sign('yes'), value: '01', verified: true, ...more });
    expect([verify({}), verify({ data: 'no', verified: false, value: '00' })]).toEqual([null, null]);
    // Uses the same signature with an uncompressed key's header. In 16 signatures, both parities of R occur.
    for (let i = 0; i < 16; i += 1) {
      const data = `yes ${i}`;
      const old = Buffer.from(sign(data), 'base64');
      old[0] = (old[0] ?? 0) - 4;
      expect([signed(data), verify({ data, signature: old.toString('base64') })]).toEqual([null, null]);
    }
    // Only the paymail's host can confirm that the key belongs to it.
    expect(verify({ paymail: 'ann@elsewhere.example', verified: false, value: '00' })).toBeNull();
    const wrong = [
      { data: 'no' },
      { data: 'no', paymail: 'ann@elsewhere.example' },
      { verified: false, value: '00' },
      { value: '00' },
      { verified: null },
    ];
    for (const more of wrong) expect(verify(more), JSON.stringify(more)).toBe('payment-mismatch');
  });

  it('rejects reports that contain encrypted or decrypted data', () => {
    expect([
      codeOf({ method: 'encrypt', data: null, value: 'aa' }),
      codeOf({ method: 'decrypt', data: null, value: null }),
      codeOf({ method: 'public-key', data: null, value: publicKey }),
    ]).toEqual([null, null, null]);
    const told: Partial<CryptoResult>[] = [
      { method: 'encrypt' },
      { method: 'decrypt', data: null, value: 'secret' },
      { method: 'decrypt', data: 'aa', value: null },
    ];
    for (const more of told) expect(codeOf(more), JSON.stringify(more)).toBe('invalid-request');
    expect(() => checkOperations([operation({ method: 'encrypt' })])).toThrow(
      'A report must not contain encrypted or decrypted data.',
    );
  });
});
