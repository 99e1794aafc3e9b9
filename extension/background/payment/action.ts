/** What a payment stores besides where an application has it made (BRC-100, `createAction`). */
import type { GivenInput } from '../transaction/input.ts';
import type { TransactionOutput } from '../../../protocol/transaction.ts';

/** An output that an application asks for. */
export interface ActionOutput extends TransactionOutput {
  /** What the application says that it is. */
  description: string;
  /** Kept for applications in this basket; null where it is nobody's here. */
  basket: string | null;
  customInstructions: string | null;
  tags: string[];
}

/** An output that it spends along with the wallet's coins. */
export interface ActionInput extends GivenInput {
  description: string;
  /**
   * Nothing shows that it brings what it holds: the network does not have its transaction yet, was not asked whether it
   * is unspent, or its script is one that only the network can run.
   */
  isUnverified?: true;
}

/** The transaction while it waits for the application's signatures: everything but those is fixed. */
export interface Unsigned {
  /** Outpoints of the wallet's coins, after the application's inputs. */
  coins: string[];
  outputs: TransactionOutput[];
  /** Where the application's outputs are. */
  places: number[];
  /** Locking scripts of the change, hex: set aside for it. */
  change: string[];
  feeSatoshis: bigint;
}

/** See {@link ActionPart.expiresAt}. Milliseconds: an hour. */
export const SIGNABLE_FOR_MS = 3600_000;

/** Of a payment that an application has made. */
export interface ActionPart {
  /** What names it to the application that is to finish it: 256 random bits, base64. Other sites' are not found. */
  reference: string;
  /** Of the whole call: the same call asked again is the same payment. */
  digest: string;
  labels: string[];
  version: number;
  lockTime: number;
  inputs: ActionInput[];
  outputs: ActionOutput[];
  randomizeOutputs: boolean;
  /** It waits for `signAction` before it is signed. */
  signLater: boolean;
  /** It is kept from the network until the application wants it sent. */
  noSend: boolean;
  /** Outpoints: change of earlier ones that were kept from the network, which this one spends. */
  noSendChange: string[];
  /** How it wants to be answered once it is signed. */
  answer: { acceptDelayedBroadcast: boolean; returnTXIDOnly: boolean; sendWith: string[] };
  /** What the application gave of the transactions that it spends (BEEF); until the network has this one. */
  beef?: Uint8Array;
  unsigned?: Unsigned;
  /** Satoshis of coins that it may set aside until its application goes on: what the user saw. */
  mostSetAside?: bigint;
  /** The payment (id) that splits a coin for it, which the user approved along with it. */
  splitFirst?: string;
  /** It may set aside the last coins, as it needs all of the user's money. */
  mayTakeLast?: true;
  /** When one that is not finished is given up (milliseconds since 1970). */
  expiresAt?: number;
}

/** Satoshis. */
export const sumOf = (parts: readonly { satoshis: bigint }[]) =>
  parts.reduce((total, { satoshis }) => total + satoshis, 0n);

/** What its inputs bring for certain, in satoshis: others count as nothing. */
export const broughtBy = ({ inputs }: Pick<ActionPart, 'inputs'>): bigint =>
  sumOf(inputs.filter(({ isUnverified }) => !isUnverified));

/** What its outputs take beyond what its inputs bring for certain, in satoshis; below zero where they bring more. */
export function takenBy(action: Pick<ActionPart, 'inputs' | 'outputs'>): bigint {
  return sumOf(action.outputs) - broughtBy(action);
}
