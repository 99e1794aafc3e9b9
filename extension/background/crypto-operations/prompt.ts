/**
 * A site asks for crypto operations without a payment. What needs no key is run first, the rest for the user's window;
 * their results are the answer to a yes.
 */
import { ServiceError, toWireError, type WireError } from '../../../protocol/errors.ts';
import type { CryptoResult, PaymentOptions } from '../../../protocol/payment.ts';
import type { OperationsPromptView } from '../../../protocol/wallet-messages.ts';
import { answerPrompt, promptUser, changePrompt, decidable, noteShown, type Client } from '../prompts/prompt.ts';
import { database, inTransaction, readKey } from '../database.ts';
import { sameOptions, promptNameOf } from '../prompts/same-options.ts';
import { readSettings } from '../settings.ts';
import { offersBlock } from '../sites/site.ts';
import { readSite } from '../sites/store.ts';
import { publicKeys, vaultStatus } from '../vault/vault.ts';
import { checkPromptLimits } from '../prompts/limits.ts';
import { readOperations } from './read.ts';
import { begin, showsMore, finishOperations } from './run.ts';
import { shownOperations } from './view.ts';
import { areFinished, resultOf } from './outcome.ts';
import type { OperationsPrompt } from '../prompts/kinds.ts';

/**
 * Asks the user, and answers with the results, in order. Asked again under the same id, it is the same question.
 * @throws ServiceError `wallet-not-set-up`, `operation-refused`, `busy`, `too-many-requests`, `site-blocked`,
 * `page-gone`,
 *   `request-id-reused`, and those of reading and beginning the operations
 */
export async function requestOperations(
  requestId: string,
  options: PaymentOptions,
  client: Client,
): Promise<CryptoResult[]> {
  const { origin, userActivation } = client;
  if (options.opReturn)
    throw new ServiceError('invalid-operation', { message: 'Nothing is written to the chain without an output.' });
  if (await (await database()).getFromIndex('payments', 'request', [origin, requestId]))
    throw new ServiceError('request-id-reused');
  const isSame = (ask: OperationsPrompt) => sameOptions(ask.options, options);
  return promptUser(
    'operations',
    { ...client, message: promptNameOf(requestId) },
    async () => {
      // Nobody is asked for a key, and nothing encrypted, for a question that has no place before the user.
      await inTransaction((tx) => checkPromptLimits(tx, origin, userActivation));
      return { options, outcomes: (await begin(options, origin)).outcomes };
    },
    isSame,
  );
}

/**
 * Finishes what is not, once the wallet is unlocked. @throws ServiceError those of {@link finishOperations};
 * `approval-unknown`
 */
async function finishInPrompt(ask: OperationsPrompt): Promise<OperationsPrompt> {
  if (areFinished(ask.outcomes)) return ask;
  const outcomes = await finishOperations(readOperations(ask.options.cryptoOperations ?? []), ask.outcomes);
  const changed = await changePrompt(ask, ({ window }) => ({
    outcomes,
    ...(showsMore(ask.outcomes) && { window: { ...window, shownAt: null } }),
  }));
  if (!changed) throw new ServiceError('approval-unknown');
  return changed as OperationsPrompt;
}

/** What its window shows. */
export async function readOperationsPrompt(ask: OperationsPrompt): Promise<OperationsPromptView> {
  const { locked } = await vaultStatus();
  let now = ask;
  let problem: WireError | null = null;
  try {
    if (!locked) now = await finishInPrompt(ask);
  } catch (error) {
    problem = toWireError(error);
  }
  await noteShown(now);
  return {
    kind: 'operations',
    origin: ask.origin,
    locked,
    network: (await readSettings()).network,
    mayBlock: offersBlock(await readSite(ask.origin), Date.now()),
    clientIdentifier: ask.options.clientIdentifier ?? '',
    operations: shownOperations(ask.options, now.outcomes),
    publicKey: (await publicKeys()).identity,
    paymail: (await readKey('account'))?.paymail ?? null,
    problem,
  };
}

/**
 * Takes the user's yes: the results become the answer.
 * @throws ServiceError `approval-unknown`, `too-soon` (also where something came up that the user has not seen),
 * `wallet-locked`,
 *   and those of {@link finishOperations}
 */
export async function answerOperations(approvalId: string): Promise<void> {
  const ask = await decidable('operations', approvalId);
  const isNew = showsMore(ask.outcomes);
  const { outcomes } = await finishInPrompt(ask);
  if (isNew) throw new ServiceError('too-soon');
  await answerPrompt<'operations'>(ask, () => outcomes.map(resultOf));
}
