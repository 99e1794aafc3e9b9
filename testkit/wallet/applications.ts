/** Test applications that use the BSV wallet interface (BRC-100). */
import * as secp256k1 from '@noble/secp256k1';
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import type { Brc100ErrorForm } from '../../protocol/brc100/errors.ts';
import type { Brc100Results, SupportedMethod } from '../../protocol/brc100/methods.ts';
import type { UserActivation } from '../../protocol/messages/page-messages.ts';
import { sighashes, SIGHASH_ALL_FORKID } from '../../protocol/bitcoin/sighash.ts';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';
import { readBeef } from '../../wallet/chain/read-beef.ts';
import { derSignature } from '../../wallet/transaction/sign.ts';
import { signDigest } from '../../wallet/keys/ecdsa.ts';
import { hash160 } from '../../wallet/keys/keys.ts';
import type { Profile, WorkerRun } from './worker-run.ts';
import { wallet } from './current.ts';

export const APP = 'https://app.example';

const PERMITTED = [{ kind: 'basket', basket: 'things' }, { kind: 'identity' }] as const;
const permitted = new WeakMap<Profile, Set<string>>();

/** Grants an application the permissions in `PERMITTED`, once per profile. */
export async function permit({ profile, modules }: WorkerRun, origin = APP): Promise<void> {
  const sites = permitted.get(profile) ?? new Set();
  permitted.set(profile, sites);
  if (sites.has(origin)) return;
  const { grantPermissions } = await import('../../wallet/permissions/store.ts'); // this run's instance
  await modules.database.inTransaction(wallet, (tx) => grantPermissions(wallet, tx, origin, PERMITTED));
  sites.add(origin);
}

let messages = 0;

export interface Calling {
  origin?: string;
  message?: string;
  client?: object;
  userActivation?: UserActivation;
  /** True (default) to give the application permission for its basket and the identity key. */
  isPermitted?: boolean;
}

/** Calls a method as a page does. @returns the result or the error */
export async function call<M extends SupportedMethod>(
  workerRun: WorkerRun,
  method: M,
  args: object,
  {
    origin = APP,
    message = `message ${(messages += 1)}`,
    client = {},
    userActivation = 'none',
    isPermitted = true,
  }: Calling = {},
): Promise<Brc100Results[M] | Brc100ErrorForm> {
  if (isPermitted) await permit(workerRun, origin);
  const text = JSON.stringify(args, (_, value: unknown) => (value instanceof Uint8Array ? [...value] : value));
  const caller = { origin, message, client, userActivation };
  const answer = await workerRun.modules.calls.handleCall(wallet, { call: method, args: text }, caller);
  return 'error' in answer ? (answer.error as Brc100ErrorForm) : (answer.result as Brc100Results[M]);
}

/** Calls a method as a page does. Any error fails the test. @returns the result */
export async function called<M extends SupportedMethod>(
  workerRun: WorkerRun,
  method: M,
  args: object,
  calling: Calling = {},
): Promise<Brc100Results[M]> {
  const answer = await call(workerRun, method, args, calling);
  if ('code' in answer) throw new Error(`${method}: ${JSON.stringify(answer)}`);
  return answer;
}

export const appKey = (index: number) => {
  const privateKey = new Uint8Array(32).fill(7);
  privateKey[31] = index + 1;
  return { privateKey, publicKey: secp256k1.getPublicKey(privateKey, true) };
};

export const appScript = (index: number): string => toHex(p2pkhScript(hash160(appKey(index).publicKey)));

/** Returns an output for `createAction`. */
export const output = (satoshis: number, lockingScript: string, more: object = {}) => ({
  satoshis,
  lockingScript,
  outputDescription: 'a thing of the application',
  ...more,
});

/** Returns the subject transaction of an atomic BEEF. */
export function transactionIn(tx: readonly number[] | undefined): Transaction {
  const { subject, members } = readBeef(Uint8Array.from(tx ?? []));
  return members.get(subject ?? '')?.transaction as Transaction;
}

/** Signs an input that is locked to an application's key. @returns the unlocking script (hex) */
export function signInput(transaction: Transaction, vin: number, satoshis: number, index = 0): string {
  const { privateKey, publicKey } = appKey(index);
  const digest = sighashes(transaction)(vin, fromHex(appScript(index)), BigInt(satoshis));
  const signature = derSignature(signDigest(digest, privateKey));
  return toHex(
    concatBytes(
      new Uint8Array([signature.length + 1]),
      signature,
      new Uint8Array([SIGHASH_ALL_FORKID, publicKey.length]),
      publicKey,
    ),
  );
}

/** Maximum size of an application's P2PKH unlocking script (bytes). */
export const UNLOCKING_BYTES = 107;
