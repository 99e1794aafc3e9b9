/**
 * Crypto operations without a payment. Operations that need no private key run first. The others run while the user's
 * window is shown.
 */
import { ServiceError, toWireError, type WireError } from '../../protocol/errors/service-error.ts';
import type { CryptoResult, PaymentOptions } from '../../protocol/payments/payment.ts';
import type { OperationsPromptView } from '../../protocol/messages/wallet-messages.ts';
import { inTransaction, readKey, readTransaction, database } from '../store/database.ts';
import { promptUser, type Client } from '../prompts/request.ts';
import { resolvePrompt, readAgain } from '../prompts/decide.ts';
import type { PromptKind } from '../prompts/kinds.ts';
import { checkPromptLimits, promptNameOf, sameOptions, changePrompt } from '../prompts/store.ts';
import type { Prompt } from '../prompts/prompt.ts';
import { publicKeys } from '../vault/vault.ts';
import { areFinished, resultOf, type Outcome } from './outcome.ts';
import { readOperations } from './read.ts';
import { recordOperations } from './record.ts';
import { begin, finishOperations, showsMore } from './run.ts';
import { shownOperations } from './view.ts';
import { isNamed } from '../payments/store.ts';
import { part, type Wallet } from '../platform.ts';

/** Stored details of the prompt. After approval, only the answer contains the results. */
interface Details {
  options: PaymentOptions;
  outcomes: Outcome[];
}

export const operationsPrompt = part((wallet): PromptKind<Details, CryptoResult[], OperationsPromptView> => ({
  name: 'operations',
  approvedBy: 'sign',
  declined: 'operation-refused',

  async view(prompt, locked) {
    const { options } = prompt.details;
    let { outcomes } = prompt.details;
    let problem: WireError | null = null;
    try {
      if (!locked) outcomes = await finish(wallet, prompt);
    } catch (error) {
      problem = toWireError(error);
    }
    return {
      kind: 'operations',
      clientIdentifier: options.clientIdentifier ?? '',
      operations: shownOperations(wallet, options, outcomes),
      publicKey: (await publicKeys(wallet)).identity,
      paymail: (await readKey(wallet, 'account'))?.paymail ?? null,
      problem,
    };
  },

  /**
   * Finishes the operations, and stores their results as the answer.
   * @throws ServiceError `too-soon` (not all values have been displayed), and those of {@link finishOperations}
   */
  async approve(prompt) {
    const isNew = showsMore(prompt.details.outcomes);
    const outcomes = await finish(wallet, prompt);
    if (isNew) throw new ServiceError('too-soon');
    const { origin, details } = prompt;
    await resolvePrompt(wallet, prompt, async (tx) => {
      await recordOperations(wallet, tx, origin, details.options.clientIdentifier ?? null, outcomes);
      return outcomes.map(resultOf);
    });
  },

  // The outcomes are no longer needed, and may contain plaintext.
  kept: ({ options }) => ({ options, outcomes: [] }),
}));

/**
 * Runs the remaining operations, if the wallet is unlocked.
 * @throws ServiceError those of {@link finishOperations}; `approval-unknown`
 */
async function finish(wallet: Wallet, prompt: Prompt<Details, CryptoResult[]>): Promise<Outcome[]> {
  const { options, outcomes: begun } = prompt.details;
  if (areFinished(begun)) return begun;
  const outcomes = await finishOperations(wallet, readOperations(wallet, options.cryptoOperations ?? []), begun);
  const changed = await changePrompt<Details, CryptoResult[]>(wallet, prompt, (now) => ({
    details: { options, outcomes },
    ...(showsMore(begun) && readAgain(now)),
  }));
  if (!changed) throw new ServiceError('approval-unknown');
  return outcomes;
}

/**
 * Prompts the user and returns the results, in order. A repeated call with the same ID joins the same prompt.
 * @throws ServiceError `wallet-not-set-up`, `operation-refused`, `busy`, `too-many-requests`, `site-blocked`,
 * `page-gone`, `request-id-reused`, and those of {@link begin}
 */
export async function requestOperations(
  wallet: Wallet,
  requestId: string,
  options: PaymentOptions,
  client: Client,
): Promise<CryptoResult[]> {
  const { origin, userActivation } = client;
  if (options.opReturn)
    throw new ServiceError('invalid-operation', {
      message: 'Results can be written to the chain only with an output.',
    });
  if (await isPayment(wallet, [origin, requestId])) throw new ServiceError('request-id-reused');
  return promptUser(
    wallet,
    operationsPrompt(wallet),
    { ...client, message: promptNameOf(requestId) },
    async () => {
      // If the prompt can't be shown, no hosts are contacted and nothing is encrypted.
      await inTransaction(wallet, (tx) => checkPromptLimits(wallet, tx, origin, userActivation));
      return { options, outcomes: (await begin(wallet, options, origin)).outcomes };
    },
    (known) => sameOptions(known.options, options),
  );
}

/** True if this ID belongs to a payment, or to a request that may become one. */
async function isPayment(wallet: Wallet, name: [string, string]): Promise<boolean> {
  return isNamed(readTransaction(await database(wallet)), ...name);
}
