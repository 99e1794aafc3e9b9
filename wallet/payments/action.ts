/** Additional data for a payment that an application creates (BRC-100, `createAction`). */
import type { ApplicationInput } from '../transaction/input.ts';
import { sumOf, type Plan } from '../transaction/plan.ts';
import type { Wallet } from '../platform.ts';
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';

export interface ActionOutput extends TransactionOutput {
  description: string;
  /** The application's basket for the output, or null. */
  basket: string | null;
  customInstructions: string | null;
  tags: string[];
}

/** An application's input, spent along with the wallet's coins. */
export interface ActionInput extends ApplicationInput {
  description: string;
  /**
   * True if the input's value is unverified, because the network doesn't have the source transaction, the output may
   * already be spent, or the wallet can't run its script.
   */
  isUnverified?: true;
}

/** A transaction that lacks only the application's signatures. */
export interface Unsigned {
  /** Outpoints of the wallet's coins, which follow the application's inputs. */
  coins: string[];
  outputs: TransactionOutput[];
  /** The positions of the application's outputs in the transaction. */
  places: number[];
  /** Reserved locking scripts of the change, in hex. */
  change: string[];
  feeSatoshis: bigint;
}

/** How long an unsigned action is stored ({@link ActionPart.expiresAt}): one hour, in milliseconds. */
export const SIGNABLE_FOR_MS = 3600_000;

export interface ActionPart {
  /** The application's reference for signing or aborting the action: 256 random bits in base64, valid for one site. */
  reference: string;
  /** Digest of the call's parameters. A call with the same digest returns the same payment. */
  digest: string;
  labels: string[];
  version: number;
  lockTime: number;
  inputs: ActionInput[];
  outputs: ActionOutput[];
  randomizeOutputs: boolean;
  /** True if the action waits for `signAction`. */
  signLater: boolean;
  /** True if the application withholds the action: it is broadcast only when the application requests it. */
  noSend: boolean;
  /** Outpoints of the change that this action spends from earlier withheld actions. */
  noSendChange: string[];
  /** The call's options that affect its result. */
  answer: { acceptDelayedBroadcast: boolean; returnTXIDOnly: boolean; sendWith: string[] };
  /** The source transactions (BEEF) of the application's inputs, stored until the action is signed. */
  beef?: Uint8Array;
  unsigned?: Unsigned;
  /** Maximum number of satoshis that may be reserved until the application continues, as shown to the user. */
  mostSetAside?: bigint;
  /** ID of the payment that splits a coin for the action and is approved with it. */
  splitFirst?: string;
  /** True if the action may reserve the wallet's last coins, because it needs all of the user's money. */
  mayTakeLast?: true;
  /** When an unsigned action expires (milliseconds since 1970). */
  expiresAt?: number;
}

/** Returns the inputs' verified value, in satoshis. */
export const inputValue = ({ inputs }: Pick<ActionPart, 'inputs'>): bigint =>
  sumOf(inputs.filter(({ isUnverified }) => !isUnverified));

/** Returns the outputs' value minus the inputs' verified value, in satoshis. Negative if the inputs are worth more. */
export function netOutputValue(action: Pick<ActionPart, 'inputs' | 'outputs'>): bigint {
  return sumOf(action.outputs) - inputValue(action);
}

/**
 * Keeps the outputs in the application's order, or shuffles them to hide which ones are change. `places` are the new
 * positions of `outputs`.
 */
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

/** Returns the items in random order (Fisher–Yates). */
function shuffled<T>(wallet: Wallet, items: readonly T[]): T[] {
  const result = [...items];
  for (let left = result.length - 1; left > 0; left -= 1) {
    const [random] = wallet.getRandomValues(new Uint32Array(1)) as unknown as [number];
    const other = random % (left + 1);
    [result[left], result[other]] = [result[other] as T, result[left] as T];
  }
  return result;
}
