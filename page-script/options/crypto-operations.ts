/** Validates the syntax and required fields of `data-crypto-operations`. The wallet validates everything else. */
import { MAX_CRYPTO_OPERATIONS, MAX_CRYPTO_TEXT } from '../../protocol/payments/limits.ts';
import { isHexScript } from '../../protocol/bitcoin/opcodes.ts';
import type { CryptoOperation } from '../../protocol/payments/payment.ts';
import { CRYPTO_METHODS } from '../../protocol/payments/payment-types.ts';
import { ownFields } from '../page/records.ts';
import { refuse } from './read.ts';

const METHODS: readonly string[] = CRYPTO_METHODS;
const FIELDS: { readonly [K in keyof CryptoOperation]-?: RegExp | null } = {
  name: /^[a-z]{1,50}$/i,
  method: null,
  data: null,
  dataEncoding: /^(?:utf8|hex)$/,
  value: null,
  valueEncoding: /^(?:utf8|hex|base64)$/,
  key: /^identity$/,
  algorithm: /^(?:bitcoin-signed-message|electrum-ecies)$/,
  publicKey: /^0[23][\da-f]{64}$/i,
  paymail: /^.{3,320}$/,
  signature: /^.{1,200}$/,
};
const WITH_DATA = /^(?:sign|verify|(?:en|de)crypt)$/;

/** Reads the crypto operations, without their empty fields. @throws ConfigurationError `invalid-crypto-operation` */
export function readCryptoOperations(elements: readonly unknown[]): CryptoOperation[] {
  const names = new Set<string>();
  const demand = (holds: unknown, where: string, value: unknown, expected: string) =>
    holds || refuse('invalid-crypto-operation', `data-crypto-operations${where}`, value, expected);
  demand(elements.length <= MAX_CRYPTO_OPERATIONS, '', elements, `of at most ${MAX_CRYPTO_OPERATIONS} operations`);
  return elements.map((given, i) => {
    const fields = ownFields(given);
    // The object has no prototype, because the page may have added a `name` to `Object.prototype`.
    const operation = Object.create(null) as Record<string, string>;
    for (const [field, form] of Object.entries(FIELDS)) {
      const value = fields[field] ?? '';
      demand(
        typeof value === 'string' && value.length <= MAX_CRYPTO_TEXT && !/[\0\p{Cs}]/u.test(value),
        `[${i}].${field}`,
        value,
        `well-formed text of at most ${MAX_CRYPTO_TEXT} characters`,
      );
      if (!value) continue;
      demand(!form || form.test(value as string), `[${i}].${field}`, value, `as ${form} has it`);
      operation[field] = value as string;
    }
    const { name = '', method = '', data, dataEncoding, signature, publicKey, paymail } = operation;
    demand(name && !names.has(name), `[${i}].name`, name, 'present and unique');
    demand(METHODS.includes(method), `[${i}].method`, method, `one of ${METHODS.join(', ')}`);
    const hex = dataEncoding === 'hex' || method === 'decrypt';
    if (WITH_DATA.test(method))
      demand(hex ? isHexScript(data ?? '') : data, `[${i}].data`, data, hex ? 'hexadecimal' : 'there');
    demand(
      method !== 'verify' || (signature && (publicKey ?? paymail)),
      `[${i}].signature`,
      signature,
      'present, with publicKey or paymail',
    );
    names.add(name);
    return operation as unknown as CryptoOperation;
  });
}
