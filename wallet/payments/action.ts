/** The additional data of a payment that an application creates (BRC-100, `createAction`). */
import type { GivenInput } from '../transaction/input.ts';
import { sumOf, type Plan } from '../transaction/plan.ts';
import type { Wallet } from '../platform.ts';
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';

export interface ActionOutput extends TransactionOutput {
  description: string;
  /** Its basket for applications; null if it belongs to none. */
  basket: string | null;
  customInstructions: string | null;
  tags: string[];
}

/** An input that it spends along with the wallet's coins. */
export interface ActionInput extends GivenInput {
  description: string;
  /**
   * The value of the input is unconfirmed: the network does not have its transaction yet, it may be spent, or only the
   * network can run its script.
   */
  isUnverified?: true;
}

/** The transaction while it waits for the application's signatures, which are the only missing part. */
export interface Unsigned {
  /** Outpoints of the wallet's coins, after the application's inputs. */
  coins: string[];
  outputs: TransactionOutput[];
  /** The positions of the application's outputs. */
  places: number[];
  /** Reserved locking scripts of the change, hex. */
  change: string[];
  feeSatoshis: bigint;
}

/** See {@link ActionPart.expiresAt}. Milliseconds: an hour. */
export const SIGNABLE_FOR_MS = 3600_000;

export interface ActionPart {
  /** The application's reference for finishing it: 256 random bits, base64. Other sites can't use it. */
  reference: string;
  /** The digest of the whole call: an equal call is the same payment. */
  digest: string;
  labels: string[];
  version: number;
  lockTime: number;
  inputs: ActionInput[];
  outputs: ActionOutput[];
  randomizeOutputs: boolean;
  /** It waits for `signAction` before it is signed. */
  signLater: boolean;
  /** It isn't broadcast until the application requests that. */
  noSend: boolean;
  /** Outpoints that this one spends: change of earlier ones that were not broadcast. */
  noSendChange: string[];
  /** The call's options that affect the result. */
  answer: { acceptDelayedBroadcast: boolean; returnTXIDOnly: boolean; sendWith: string[] };
  /** The application's source transactions (BEEF), until the network has this one. */
  beef?: Uint8Array;
  unsigned?: Unsigned;
  /** Maximum satoshis of coins that may be reserved until its application continues, as shown to the user. */
  mostSetAside?: bigint;
  /** The payment (id) that splits a coin for it, approved along with it. */
  splitFirst?: string;
  /** It may reserve the last coins, because it needs all of the user's money. */
  mayTakeLast?: true;
  /** When one that is not finished is given up (milliseconds since 1970). */
  expiresAt?: number;
}

/** The confirmed value of its inputs, in satoshis. Others count as zero. */
export const broughtBy = ({ inputs }: Pick<ActionPart, 'inputs'>): bigint =>
  sumOf(inputs.filter(({ isUnverified }) => !isUnverified));

/**
 * The value of its outputs minus the confirmed value of its inputs, in satoshis; negative if the inputs are worth more.
 */
export function takenBy(action: Pick<ActionPart, 'inputs' | 'outputs'>): bigint {
  return sumOf(action.outputs) - broughtBy(action);
}

/** Keeps the application's order, or shuffles the outputs so that change can't be recognized. */
export function arranged<P extends Pick<Plan, 'outputs' | 'changeIndexes'>>(
  wallet: Wallet,
  plan: P,
  { randomizeOutputs, version, lockTime }: Pick<ActionPart, 'randomizeOutputs' | 'version' | 'lockTime'>,
  outputs: readonly TransactionOutput[],
): { plan: P & Pick<ActionPart, 'version' | 'lockTime'>; places: number[] } {
  const change = plan.changeIndexes.map((i) => plan.outputs[i]);
  const ordered = randomizeOutputs ? shuffled(wallet, plan.outputs) : plan.outputs;
  const changeIndexes = change.map((one) => ordered.indexOf(one as TransactionOutput)).sort((a, b) => a - b);
  return {
    plan: { ...plan, version, lockTime, outputs: ordered, changeIndexes },
    places: outputs.map((one) => ordered.indexOf(one)),
  };
}

/** A random order (Fisher and Yates). */
function shuffled<T>(wallet: Wallet, items: readonly T[]): T[] {
  const result = [...items];
  for (let left = result.length - 1; left > 0; left -= 1) {
    const [random] = wallet.getRandomValues(new Uint32Array(1)) as unknown as [number];
    const other = random % (left + 1);
    [result[left], result[other]] = [result[other] as T, result[left] as T];
  }
  return result;
}
