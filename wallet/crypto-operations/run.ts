/**
 * Runs crypto operations, each only once. Operations that need no secret run when they are requested. Operations
 * that sign or decrypt, or whose failure would reveal something about the user, run after the wallet is unlocked.
 * Results leave the wallet only after the user's approval.
 */
import { writeAddress } from '../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { writePaymail } from '../../protocol/http/paymail.ts';
import { readKey } from '../store/database.ts';
import { paymailOf } from '../paymail/discovery.ts';
import { compareKnown } from '../paymail/known.ts';
import { publicKeyOf } from '../paymail/pki.ts';
import { readSettings } from '../settings.ts';
import { withIdentityKey } from '../vault/identity.ts';
import { hash160 } from '../keys/keys.ts';
import { isSignedBy, signMessage } from '../keys/ecdsa.ts';
import { publicKeys } from '../vault/vault.ts';
import { decryptWith, encryptFor, isCiphertext, mostPlaintext } from './ecies.ts';
import { type Operation, readOperations } from './read.ts';
import { type Outcome, areFinished } from './outcome.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { countHostRequests } from '../request-limits/rate-limit.ts';
import type { Wallet } from '../platform.ts';

async function ownIdentity(wallet: Wallet): Promise<{ publicKey: string; paymail: string | null }> {
  return {
    publicKey: (await publicKeys(wallet)).identity,
    paymail: (await readKey(wallet, 'account'))?.paymail ?? null,
  };
}

/** Returns the key's owner, by default the user. A paymail's key is requested from its host. */
async function partyOf(
  wallet: Wallet,
  { paymail, publicKey }: Operation,
  client: string,
): Promise<Pick<Outcome, 'paymail' | 'host' | 'keyChangedSince'> & { publicKey: string }> {
  if (paymail === null)
    return { ...(publicKey === null ? await ownIdentity(wallet) : { publicKey, paymail }), host: null };
  const told = await publicKeyOf(wallet, paymail, client);
  const { keyChangedSince } = await compareKnown(wallet, writePaymail(paymailOf(paymail)), told.publicKey);
  return { publicKey: told.publicKey, paymail, host: told.origin, keyChangedSince };
}

/**
 * Runs operations that need no secret.
 * @param client the requesting site
 * @throws ServiceError `operation-failed` (data to decrypt has the wrong format), `unknown-recipient`,
 * `paymail-unavailable`, `paymail-mismatch`
 */
export function beginOperations(wallet: Wallet, operations: readonly Operation[], client: string): Promise<Outcome[]> {
  return Promise.all(
    operations.map(async (operation, i) => {
      const { name, method, text, dataEncoding, valueEncoding, algorithm, signature } = operation;
      const isSecret = method === 'encrypt' || method === 'decrypt';
      return {
        id: `${i + 1}`,
        name,
        method,
        data: isSecret ? null : text,
        dataEncoding,
        value: null,
        valueEncoding,
        key: 'identity',
        algorithm,
        publicKey: null,
        paymail: null,
        signature,
        verified: null,
        host: null,
        ...(await begun(wallet, operation, client)),
      };
    }),
  );
}

async function begun(wallet: Wallet, operation: Operation, client: string): Promise<Partial<Outcome>> {
  const data = operation.data ?? new Uint8Array();
  switch (operation.method) {
    case 'verify': {
      const party = await partyOf(wallet, operation, client);
      const ofKey = operation.publicKey === null || operation.publicKey === party.publicKey;
      const verified = ofKey && isSignedBy(fromHex(party.publicKey), data, operation.signature ?? '');
      return { ...party, publicKey: operation.publicKey ?? party.publicKey, value: verified ? '01' : '00', verified };
    }
    case 'encrypt': {
      const party = await partyOf(wallet, operation, client);
      return { ...party, value: toHex(await encryptFor(fromHex(party.publicKey), data)) };
    }
    case 'decrypt':
      if (!isCiphertext(data)) throw new ServiceError('operation-failed');
      return ownIdentity(wallet);
    case 'public-key': {
      const own = await ownIdentity(wallet);
      return { ...own, value: own.publicKey };
    }
    case 'address': {
      const own = await ownIdentity(wallet);
      return { ...own, value: writeAddress(hash160(fromHex(own.publicKey)), (await readSettings(wallet)).network) };
    }
    case 'sign':
    case 'paymail':
      return ownIdentity(wallet);
  }
}

/**
 * Runs the remaining operations.
 * @param operations the same as passed to {@link beginOperations}
 * @throws ServiceError `wallet-locked`, `operation-failed` (not encrypted for this key, or not text), `unknown-account`
 * (the user has no account and thus no paymail). Pages don't see these errors before the user decides, because they
 * reveal the user's identity.
 */
export async function finishOperations(
  wallet: Wallet,
  operations: readonly Operation[],
  outcomes: readonly Outcome[],
): Promise<Outcome[]> {
  if (areFinished(outcomes)) return [...outcomes];
  const own = await ownIdentity(wallet);
  return withIdentityKey(wallet, async (key) => {
    const finished: Outcome[] = [];
    for (const [i, outcome] of outcomes.entries()) {
      finished.push(
        outcome.value !== null
          ? outcome
          : { ...outcome, ...own, ...(await concluded(operations[i] as Operation, key, own.paymail)) },
      );
    }
    return finished;
  });
}

async function concluded(
  { method, data, valueEncoding }: Operation,
  key: Uint8Array,
  paymail: string | null,
): Promise<Partial<Outcome>> {
  if (method === 'paymail') {
    if (paymail === null) throw new ServiceError('unknown-account');
    return { value: paymail };
  }
  if (method === 'sign') {
    const signature = signMessage(data ?? new Uint8Array(), key);
    return { value: signature, signature };
  }
  return { value: written(await decryptWith(key, data ?? new Uint8Array()), valueEncoding) };
}

function written(bytes: Uint8Array, encoding: Operation['valueEncoding']): string {
  if (encoding === 'hex') return toHex(bytes);
  if (encoding === 'base64') return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ServiceError('operation-failed', { cause });
  }
}

/** Replaces missing values with placeholders of their actual or maximum length. */
export function withPlaceholders(operations: readonly Operation[], outcomes: readonly Outcome[]): Outcome[] {
  return outcomes.map((outcome, i) =>
    outcome.value === null ? { ...outcome, value: standIn(operations[i] as Operation) } : outcome,
  );
}

const MAX_PAYMAIL_CHARS = 320;
/** Length of a 65-byte signature in base64 (characters). */
const SIGNATURE = 88;

function standIn({ method, data, valueEncoding }: Operation): string {
  if (method === 'sign') return '?'.repeat(SIGNATURE);
  if (method === 'paymail') return '?'.repeat(MAX_PAYMAIL_CHARS);
  const bytes = mostPlaintext(data ?? new Uint8Array());
  if (valueEncoding === 'base64') return '?'.repeat(4 * Math.ceil(bytes / 3));
  return (valueEncoding === 'hex' ? '3f' : '?').repeat(bytes);
}

/**
 * Begins the operations in a page's request. The user's key isn't used, even if the wallet is unlocked, because the
 * response time or the order of errors would reveal what this user can decrypt. The remaining operations run when the
 * user's window is shown.
 * @param origin the requesting site
 * @throws ServiceError `too-many-requests` (too many paymails), and those of {@link readOperations} and
 * {@link beginOperations}
 */
export async function begin(
  wallet: Wallet,
  options: Pick<PaymentOptions, 'cryptoOperations'>,
  origin: string,
): Promise<{ operations: Operation[]; outcomes: Outcome[] }> {
  const operations = readOperations(wallet, options.cryptoOperations ?? []);
  countHostRequests(wallet, origin, operations.filter(({ paymail }) => paymail !== null).length);
  return { operations, outcomes: await beginOperations(wallet, operations, origin) };
}

/** True if the remaining operations will show the user something new. Signatures don't count. */
export function showsMore(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ method, value }) => value === null && method !== 'sign');
}
