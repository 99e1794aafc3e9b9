/** Parses the crypto operations requested by a page, according to each method's rules. */
import { fromHex, isHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { MAX_OP_RETURN_BYTES } from '../../protocol/payments/limits.ts';
import { readPaymail, writePaymail } from '../../protocol/http/paymail.ts';
import type { CryptoMethod, CryptoOperation, CryptoResult } from '../../protocol/payments/payment.ts';
import { isPublicKey } from '../keys/ecdsa.ts';
import { CIPHERTEXT_OVERHEAD } from './ecies.ts';
import { isForbidden } from './refuse.ts';
import type { Wallet } from '../platform.ts';

type Algorithm = NonNullable<CryptoOperation['algorithm']>;

/** Input and output encodings of a method. The first encoding is the default. */
interface Rule {
  data?: readonly ('utf8' | 'hex')[];
  values: readonly ('utf8' | 'hex' | 'base64')[];
  algorithm?: Algorithm;
}

const RULES: Record<CryptoMethod, Rule> = {
  // With `utf8`, the base64 text of a signature is used as is.
  sign: { data: ['utf8', 'hex'], values: ['base64', 'utf8'], algorithm: 'bitcoin-signed-message' },
  verify: { data: ['utf8', 'hex'], values: ['hex'], algorithm: 'bitcoin-signed-message' },
  encrypt: { data: ['utf8', 'hex'], values: ['hex'], algorithm: 'electrum-ecies' },
  decrypt: { data: ['hex'], values: ['utf8', 'hex', 'base64'], algorithm: 'electrum-ecies' },
  'public-key': { values: ['hex'] },
  address: { values: ['utf8'] },
  paymail: { values: ['utf8'] },
};

/** A parsed operation, without fields that its method doesn't use. */
export interface Operation {
  name: string;
  method: CryptoMethod;
  /** The data as given by the page; null if the method takes no data. */
  text: string | null;
  /** The bytes of `text`. */
  data: Uint8Array<ArrayBuffer> | null;
  dataEncoding: 'utf8' | 'hex' | null;
  valueEncoding: NonNullable<CryptoResult['valueEncoding']>;
  algorithm: Algorithm | null;
  /** Public key of the other party for `verify` and `encrypt` (compressed, lower-case hex). */
  publicKey: string | null;
  /** The other party's paymail (`alias@domain`, in lower case). */
  paymail: string | null;
  signature: string | null;
}

const invalid = (detail: string) => new ServiceError('invalid-operation', { detail });

/** Returns the requested encoding, or the default. Throws if the method doesn't support it. */
function encodingOf<E extends string>(wanted: string | undefined, possible: readonly E[]): E {
  const found = possible.find((one) => one === (wanted ?? possible[0]));
  if (found === undefined) throw invalid('encoding not supported by the method');
  return found;
}

function dataOf(
  wallet: Wallet,
  text: string | undefined,
  encoding: 'utf8' | 'hex',
  method: CryptoMethod,
): Uint8Array<ArrayBuffer> {
  if (text === undefined) throw invalid('no data');
  if (encoding === 'hex' && !isHex(text)) throw invalid('data is not hexadecimal');
  const data = encoding === 'hex' ? fromHex(text) : new TextEncoder().encode(text);
  if (data.length > MAX_OP_RETURN_BYTES + (method === 'decrypt' ? CIPHERTEXT_OVERHEAD : 0))
    throw new ServiceError('data-too-large');
  if (method === 'sign' && isForbidden(wallet, data)) throw new ServiceError('forbidden-data');
  return data;
}

function paymailOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const paymail = readPaymail(text);
  if (!paymail) throw invalid('no paymail');
  return writePaymail(paymail);
}

function publicKeyOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!isPublicKey(fromHex(text))) throw invalid('key is not on the curve');
  return text.toLowerCase();
}

function readOperation(wallet: Wallet, given: CryptoOperation): Operation {
  const { name, method } = given;
  const { data: encodings, values, algorithm = null } = RULES[method];
  const dataEncoding = encodings ? encodingOf(given.dataEncoding, encodings) : null;
  const valueEncoding = encodingOf(given.valueEncoding, values);
  if (algorithm !== null && given.algorithm !== undefined && given.algorithm !== algorithm)
    throw invalid('algorithm of another method');
  const isOfSomebody = method === 'verify' || method === 'encrypt';
  const publicKey = isOfSomebody ? publicKeyOf(given.publicKey) : null;
  const paymail = isOfSomebody ? paymailOf(given.paymail) : null;
  const signature = method === 'verify' ? (given.signature ?? null) : null;
  if (method === 'verify' && (signature === null || (publicKey === null && paymail === null)))
    throw invalid('signature, and a key or paymail, are required');
  const data = dataEncoding && dataOf(wallet, given.data, dataEncoding, method);
  return {
    name,
    method,
    text: data && (given.data ?? null),
    data,
    dataEncoding,
    valueEncoding,
    algorithm,
    publicKey,
    paymail,
    signature,
  };
}

/**
 * Parses a page's request.
 * @throws ServiceError `invalid-operation`, `data-too-large`, `forbidden-data` (a signature could be misused)
 */
export function readOperations(wallet: Wallet, given: readonly CryptoOperation[]): Operation[] {
  if (new Set(given.map(({ name }) => name)).size < given.length) throw invalid('duplicate name');
  return given.map((given) => readOperation(wallet, given));
}
