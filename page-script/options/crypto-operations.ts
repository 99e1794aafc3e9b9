/** The elements of `data-crypto-operations`: their form. What they mean is the wallet's business. */
import { MAX_CRYPTO_OPERATIONS } from '../../protocol/limits.ts';
import type { CRYPTO_METHODS, CryptoOperation } from '../../protocol/payment.ts';
import { ownFields } from '../records.ts';
import { refuse } from './read.ts';

// protocol/payment.ts brings zod with it; the compiler compares.
const METHODS: readonly string[] = ['sign', 'verify', 'encrypt', 'decrypt', 'public-key', 'address', 'paymail'] satisfies (typeof CRYPTO_METHODS)[number][];
const FIELDS = ['name', 'method', 'data', 'dataEncoding', 'value', 'valueEncoding', 'key', 'algorithm', 'publicKey', 'paymail', 'signature'];

/**
 * The operations, without the fields that say nothing.
 * @throws ConfigurationError `invalid-crypto-operation`
 */
export function readCryptoOperations(elements: readonly unknown[]): CryptoOperation[] {
  const names = new Set<string>();
  const demand = (holds: boolean, where: string, value: unknown, expected: string) =>
    holds || refuse('invalid-crypto-operation', `data-crypto-operations${where}`, value, expected);
  demand(elements.length <= MAX_CRYPTO_OPERATIONS, '', elements, `of at most ${MAX_CRYPTO_OPERATIONS} operations`);
  return elements.map((given, i) => {
    const fields = ownFields(given);
    // Without a prototype: a page may have put a `name` on that of all objects.
    const operation = Object.create(null) as Record<string, string>;
    for (const field of FIELDS) {
      const value = fields[field] ?? '';
      demand(typeof value === 'string', `[${i}].${field}`, value, 'text');
      if (value) operation[field] = value as string;
    }
    const { name = '', method = '' } = operation;
    demand(/^[a-z]{1,50}$/i.test(name) && !names.has(name), `[${i}].name`, name, 'Latin letters, and used once');
    demand(METHODS.includes(method), `[${i}].method`, method, `one of ${METHODS.join(', ')}`);
    names.add(name);
    return operation as unknown as CryptoOperation;
  });
}
